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
import { BELOW, filling, pagesOfBlocks, pagesOfPdf, type PdfPage } from './harness/reports/pages-of-pdf.ts';
import { AS_OF, county, postTo, PUBLIC_URL, startService } from './service-fixture.ts';

const VERIFY_URL = `${PUBLIC_URL}/verify/01a2235b-3913-763a-b461-9d8475b9b447/0123456789012345678901`;
/** Its code has no text, and follows its link. */
const CODE_HEIGHT = qrFigure(VERIFY_URL).height;

/** At most a quarter of each page but the last is blank, and the last one has more than the identification. */
function assertFilled(pages: readonly PdfPage[], what: string): void {
  pages.slice(0, -1).forEach(({ lines, height }, at) => {
    const last = lines.at(-1);
    assert.ok(last);
    const code = last.text.startsWith(PUBLIC_URL) ? CODE_HEIGHT : 0;
    const blank = (last.y - BELOW - code) / height;
    assert.ok(blank <= 0.25, `${what}: ${blank.toFixed(3)} of page ${at + 1} is blank after ${last.text}`);
  });
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
  5,
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
        { ...pinned[0], field: 'location', amount: -5000, reason: 'Next to the railway. '.repeat(9) },
      ],
      renovations: [{ description: 'Kitchen', cost: 20_000, year: 2024 }],
      note: 'Too high',
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
