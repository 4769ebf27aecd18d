import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { formatDay } from '../src/domain/day.ts';
import { PAPERS, REPORT_VERSIONS } from '../src/domain/report.ts';
import { closingBlocks, heading, paragraph } from '../src/operations/report/report-sections.ts';
import type { Block } from '../src/reports/document.ts';
import { indexFigure } from '../src/reports/index-figure.ts';
import { mapFigure } from '../src/reports/map-figure.ts';
import { qrFigure } from '../src/reports/qr-figure.ts';
import { casesOf } from './harness/cases.ts';
import { engines } from './harness/store/engines.ts';
import { getDocumentProxy } from 'unpdf';
import {
  BELOW,
  filling,
  pagesOfBlocks,
  pagesOfPdf,
  pdfOfBlocks,
  type PdfPage,
} from './harness/reports/pages-of-pdf.ts';
import { AS_OF, county, postTo, PUBLIC_URL, startService } from './service-fixture.ts';

const VERIFY_URL = `${PUBLIC_URL}/verify/01a2235b-3913-763a-b461-9d8475b9b447/0123456789012345678901`;
/** Its code has no text, and follows its link. */
const CODE_HEIGHT = qrFigure(VERIFY_URL).height;

/** The share of a page that is blank after its last line. */
function blankOf({ lines, height }: PdfPage): number {
  const last = lines.at(-1);
  assert.ok(last);
  const code = last.text.startsWith(PUBLIC_URL) ? CODE_HEIGHT : 0;
  return (last.y - BELOW - code) / height;
}

/**
 * At most a quarter of each page but the last is blank. The last one has more than the identification, and is filled to
 * a quarter unless what it has is more than the other pages have left.
 */
function assertFilled(pages: readonly PdfPage[], what: string): void {
  const blank = pages.slice(0, -1).map(blankOf);
  blank.forEach((share, at) =>
    assert.ok(
      share <= 0.25,
      `${what}: ${share.toFixed(3)} of page ${at + 1} is blank after ${pages[at].lines.at(-1)?.text}`,
    ),
  );
  const used = 1 - blankOf(pages[pages.length - 1]);
  assert.ok(
    pages.length === 1 || used >= 0.25 || used > blank.reduce((total, share) => total + share, 0),
    `${what}: ${used.toFixed(3)} of the last page is filled, and ${blank.map((share) => share.toFixed(3)).join(' + ')} is blank before it`,
  );
  const texts = pages.at(-1)?.lines.map(({ text }) => text) ?? [];
  assert.ok(texts.includes('Assumptions'), `${what}: the last page begins with ${texts[0]}`);
}

const CLOSING = closingBlocks({
  valuation: {
    valuationId: '01a2235b-3913-763a-b461-9d8475b9b447',
    model: {
      id: 'sample-county-2025-11-28-18541926',
      version: '2025-11-28',
      sha256: 'a'.repeat(64),
      dataSnapshot: 'b'.repeat(64),
    },
  },
  assumptions: Array.from({ length: 4 }, (_, at) => `Assumption ${at} `.repeat(at === 0 ? 15 : 5)),
  verifyUrl: VERIFY_URL,
});

const SPAN = { lat: 43.004, lon: -88.004 };
const map = mapFigure({
  subject: { lat: 43, lon: -88 },
  comparables: [SPAN],
  outlines: [],
  homes: [],
  background: {
    water: [],
    waterLines: [],
    parks: [],
    parcels: [],
    roads: [],
    credit: 'A long credit. '.repeat(9),
  },
});
const index = indexFigure(
  Array.from({ length: 30 }, (_, at) => {
    const month = `20${20 + Math.floor(at / 12)}-${String(1 + (at % 12)).padStart(2, '0')}`;
    return { month, index: 100 + at, lower: 99 + at, upper: 101 + at };
  }),
  'rose by 5.0% in the 12 months to Jun 2022',
);

function tableOf(rows: number, text: string, isDense = false): Block {
  return {
    kind: 'table',
    caption: 'Table',
    ...(isDense && { isDense: true as const, hasVisibleCaption: true as const }),
    columns: ['A', 'B', 'C'].map((label) => ({ label, width: 1 })),
    rows: Array.from({ length: rows }, () => ({ cells: ['Row', text, '$1'] })),
  };
}

/** The note of a challenge, with its decision. */
function noteOf(text: string): Block[] {
  return [
    heading('The challenge'),
    paragraph('$300,000 instead of $310,000', 'lead'),
    {
      kind: 'facts',
      isWide: true,
      facts: [
        ['Challenge', 'Version 1, by ada@example.org'],
        ['Note', text],
        ['Decision', `Rejected: ${text.slice(0, 400)}`],
      ],
    },
    paragraph('What each kind of change does to the value. '.repeat(9)),
    tableOf(4, 'one line'),
  ];
}

/** So many characters, in paragraphs of some lines, with the number of each word. */
function wordsOf(characters: number): string {
  const words = Array.from({ length: characters / 4 }, (_, at) => `w${at}${at % 90 === 89 ? '\n' : ''}`);
  return words.join(' ').slice(0, characters);
}

const SECTIONS: Readonly<Record<string, readonly Block[]>> = {
  map: [heading('Map'), map],
  'price index': index ? [heading('Market trends'), paragraph('Prices changed. '.repeat(16)), index] : [],
  'short table': [heading('Accuracy'), paragraph('Measured on sales. '.repeat(12)), tableOf(5, 'one line')],
  'table of long rows': [heading('Changes'), tableOf(9, 'A reason that somebody wrote. '.repeat(8))],
  grid: [
    heading('Sales comparison grid'),
    paragraph('Price plus adjustments is the adjusted price. '.repeat(9), 'quiet'),
    tableOf(27, 'Some words that take two lines of the narrow cell of the dense grid, or more', true),
  ],
  'note of 1,600 characters': noteOf(wordsOf(1600)),
  'note of 8,000 characters': noteOf(wordsOf(8000)),
  'note of one word': noteOf('w'.repeat(800)),
  closing: [],
};

const CASES = 25;
/** A line is 18 points high. */
const STEP = Math.round(CASES / casesOf(CASES));

for (const [name, section] of Object.entries(SECTIONS)) {
  test(`wherever a page ends, at most a quarter of it is blank: ${name}`, async () => {
    for (const paper of PAPERS) {
      for (let lines = 16; lines < 16 + CASES; lines += STEP) {
        const pages = await pagesOfBlocks([...filling(lines), ...section, ...CLOSING], paper);
        assertFilled(pages, `${name} after ${lines} lines on ${paper}`);
      }
    }
  });
}

test('a long note continues on the next page: nothing is lost, and each page has two of its lines or more', async () => {
  const note = wordsOf(8000);
  const divided = new Set<number>();
  for (let lines = 20; lines < 40; lines += STEP) {
    const bytes = await pdfOfBlocks([...filling(lines), ...noteOf(note), ...CLOSING], 'letter');
    const pages = (await pagesOfPdf(bytes)).map((page) => page.lines.map(({ text }) => text));
    const parts = pages.map((texts) => texts.filter((text) => /^w\d/.test(text)));
    const printed = parts.flat().join(' ').split(' ').slice(0, note.split(/\s+/).length);
    assert.deepEqual(printed, note.split(/\s+/), `after ${lines} lines`);
    const [first, ...others] = parts.filter((part) => part.length > 0);
    for (const part of [first, ...others]) assert.ok(part.length >= 2, `after ${lines} lines: ${part}`);
    divided.add(first.length);
    assert.ok(others.length > 0);
    const label = pages.find((texts) => texts.includes('Note'));
    assert.equal(
      label?.some((text) => text.startsWith('w0 ')),
      true,
      'the label stays with the note',
    );
    const pdf = await getDocumentProxy(new Uint8Array(bytes));
    for (const [at, part] of parts.entries()) {
      const tree = JSON.stringify(await (await pdf.getPage(at + 1)).getStructTree());
      assert.equal(tree.includes('"LBody"'), part.length > 0 || at === parts.length - 1, `page ${at + 1}`);
    }
  }
  assert.ok(divided.size > 1, 'it was divided after more or fewer lines');
});

test('what is a little too long for its pages is set closer, so that no page has the assumptions alone', async () => {
  let pulled = 0;
  for (const paper of PAPERS) {
    for (let lines = 80; lines < 80 + CASES * 2; lines += 2 * STEP) {
      const pages = await pagesOfBlocks([...filling(lines), ...CLOSING], paper);
      const used = 1 - blankOf(pages[pages.length - 1]);
      assert.ok(
        used > 0.06 * (pages.length - 1),
        `${lines} lines on ${paper}: ${used.toFixed(3)} of the last page`,
      );
      const [first, second] = pages[0].lines.filter(({ text }) => text.startsWith('Line '));
      if (first.y - second.y < 17.5) pulled++;
    }
  }
  assert.ok(pulled > 0);
});

test('the pages of a report are filled, and its last one has more than the identification', async (t: TestContext) => {
  const [engine] = engines;
  const service = await startService(engine, '');
  t.after(() => service.close());
  const house = county.sales.find(({ parcel }) => parcel.type === 'houses')?.parcel;
  assert.ok(house);
  const ask = async (url: string, body: object) => {
    const answer = await postTo(service, url, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  for (const count of [20, 10, 5].slice(0, casesOf(3))) {
    const { valuation, comparables } = await ask('/v1/avm/property', {
      location: { latitude: house.lat, longitude: house.lon },
      property_fields: { total_bedrooms: 3, total_bathrooms: 2 },
      search_params: { num_comps: count, date: formatDay(AS_OF - 20) },
    });
    const pinned = comparables.items.map(({ comp_id }: { comp_id: string }) => ({ comp_id }));
    const challenge = await ask(`/v1/valuations/${valuation.valuation_id}/challenge`, {
      comparables: { pinned, only_pinned: true },
      adjustments: [
        { ...pinned[0], field: 'location', amount: -5000, reason: 'Next to the railway. '.repeat(23) },
      ],
      renovations: [{ description: 'Kitchen', cost: 20_000, year: 2024 }],
      note: 'Too high. '.repeat(160),
    });
    for (const { version, id } of [
      ...REPORT_VERSIONS.map((version) => ({ version, id: challenge.valuation.valuation_id })),
      ...(['owner', 'appraiser'] as const).map((version) => ({ version, id: valuation.valuation_id })),
    ]) {
      for (const paper of PAPERS) {
        const { statusCode, rawPayload } = await service.app.inject({
          url: `/v1/valuations/${id}/report?format=pdf&version=${version}&paper=${paper}`,
          headers: { 'x-api-key': service.key },
        });
        assert.equal(statusCode, 200);
        assertFilled(await pagesOfPdf(rawPayload), `${version} with ${count} comparables on ${paper}`);
      }
    }
  }
});
