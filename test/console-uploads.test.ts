import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { deleteExpired } from '../src/jobs/retention.ts';
import { XLSX_TYPE } from '../src/tables/write-xlsx.ts';
import { TEST_RETENTION } from './app-config.ts';
import { onConsole, openBrowser, type TestBrowser, type TestConsole } from './console-fixture.ts';
import { workbookBytes } from './harness/load/workbook.ts';
import { PIECE_BYTES, sendPiece, uploadPieces } from './harness/console-upload.ts';

const DAY_MS = 86_400_000;

function upload(console: TestConsole, browser: TestBrowser, text: string, name = 'loans.csv') {
  return uploadPieces(console, browser, Buffer.from(text), { name });
}

async function signedIn(console: TestConsole, name = 'ada'): Promise<TestBrowser> {
  await console.addUser(name, 'member');
  const browser = openBrowser(console);
  await browser.signIn(name);
  return browser;
}

const ROWS = 1203;
const FILE = `Loan,Address,BR,Baths,Note\n${Array.from({ length: ROWS }, (_, at) => {
  const beds = at === 700 ? 'abc' : '3';
  return `loan ${at},"${at} Main St, Milwaukee, WI",${beds},2,=1+1\n`;
}).join('')}`;

const MAPPING = [
  { path: 'property_id', column: 0 },
  { path: 'location.address', column: 1 },
  { path: 'property_fields.total_bedrooms', column: 2 },
  { path: 'property_fields.total_bathrooms', column: 3 },
];
const SUBMISSION = { avm_type: 'property', mapping: MAPPING, leaves_out: true, sends_again: false };

onConsole(
  'a file is uploaded, checked and submitted as batches, each once however often it is sent',
  async (console) => {
    const browser = await signedIn(console);
    const id = await upload(console, browser, FILE);
    const { body: sheet } = await browser.ask('POST', `uploads/${id}/read`);
    assert.deepEqual([sheet.row_count, sheet.format], [ROWS, 'text, utf-8, separated by commas, 5 columns']);
    assert.deepEqual(sheet.columns[0], { name: 'Loan', samples: ['loan 0', 'loan 1', 'loan 2'] });
    assert.deepEqual(sheet.kinds[0].suggested, [MAPPING[1], MAPPING[0], ...MAPPING.slice(2)]);

    const { body: checked } = await browser.ask('POST', `uploads/${id}/check`, {
      avm_type: 'property',
      mapping: MAPPING,
    });
    assert.deepEqual(
      [checked.good_rows, checked.bad_rows, checked.jobs, checked.credits_max],
      [ROWS - 1, 1, 3, 30 * (ROWS - 1)],
    );
    assert.deepEqual(checked.problems, [
      { column: 'BR', label: 'Bedrooms', example: '“abc” is not a number', count: 1, rows: [702] },
    ]);
    assert.equal(checked.preview.rows.length, 5);
    // 500 of the rows, of which one is not valid. No market is loaded, so that none has a value.
    const [tried] = checked.failed_tries;
    assert.deepEqual(
      [checked.tried_rows, checked.failed_tries.length, tried.code, tried.count, tried.rows.slice(0, 4)],
      [499, 1, 'address_not_found', 499, [4, 6, 9, 11]],
    );

    const strict = await browser.ask('POST', `uploads/${id}/submit`, { ...SUBMISSION, leaves_out: false });
    assert.equal(strict.body.code, 'conflict');
    const submitted = await browser.ask('POST', `uploads/${id}/submit`, SUBMISSION);
    assert.equal(submitted.status, 200, submitted.text);
    const sent = await Promise.all([1, 2].map(() => browser.ask('POST', `uploads/${id}/send`)));
    const again = await browser.ask('POST', `uploads/${id}/send`);
    assert.deepEqual([again.body.done, again.body.total, again.body.message], [3, 3, null], sent[0].text);
    const { body: list } = await browser.ask('GET', 'avm/batch');
    assert.deepEqual(
      list.jobs.map(({ total }: { total: number }) => total).sort(),
      [202, 500, 500],
      'no second job',
    );

    const { body: progress } = await browser.ask('GET', `uploads/${id}`);
    assert.deepEqual([progress.total, progress.row_count, progress.parts.length], [ROWS - 1, ROWS, 3]);
    const early = await browser.ask('GET', `uploads/${id}/results.csv`);
    assert.equal(early.body.code, 'conflict');
    const { body: job } = await browser.ask('GET', `jobs/${progress.parts[1].job_id}`);
    assert.deepEqual(job.upload, { id, name: 'loans.csv', part: 2 });

    const { body: cancelled } = await browser.ask('POST', `uploads/${id}/cancel`);
    assert.deepEqual([cancelled.failed, cancelled.cancelled], [ROWS - 1, ROWS - 1]);
    const csv = await browser.ask('GET', `uploads/${id}/results.csv`);
    assert.match(String(csv.headers['content-disposition']), /loans-valued\.csv/);
    const workbook = await browser.ask('GET', `uploads/${id}/results.xlsx`);
    assert.match(String(workbook.headers['content-disposition']), /loans-valued\.xlsx/);
    assert.equal(workbook.headers['content-type'], XLSX_TYPE);
    const lines = csv.text.trimEnd().split('\r\n');
    assert.equal(lines.length, ROWS + 1);
    assert.match(lines[1], /^loan 0,"0 Main St, Milwaukee, WI",3,2,'=1\+1,loan 0,error,.*cancelled/);
    assert.match(lines[701], /^loan 700,.*,,not sent,.*“abc” is not a number/);
    const { body: failures } = await browser.ask('GET', `jobs/${progress.parts[2].job_id}/failures`);
    assert.deepEqual(
      failures.failures.map(({ code, count }: { code: string; count: number }) => [code, count]),
      [['cancelled', 202]],
    );

    const { body: credits } = await browser.ask('GET', `uploads/${id}/retry-credits`);
    assert.equal(credits.credits_max, 30 * (ROWS - 1));
    for (const expected of [3, 0]) {
      const { body } = await browser.ask('POST', `uploads/${id}/retry-failed`);
      assert.deepEqual([body.done, body.message], [expected, null], 'a retry that runs has nothing to retry');
    }
    const { body: retried } = await browser.ask('GET', `uploads/${id}`);
    assert.deepEqual([retried.failed, retried.parts[0].retries], [0, 1]);

    const logged = await console.store.db
      .selectFrom('audit_log')
      .select(({ fn }) => ['action', 'actorName', fn.countAll<number>().as('count')])
      .where('action', 'like', 'batch.%')
      .groupBy(['action', 'actorName'])
      .orderBy('action')
      .execute();
    assert.deepEqual(
      logged.map(({ action, actorName, count }) => [action, actorName, count]),
      [
        ['batch.cancelled', 'ada', 3],
        ['batch.retried', 'ada', 3],
        ['batch.submitted', 'ada', 3],
      ],
      'every batch of the file is in the audit log',
    );
  },
);

const HOMES = [
  ['loan 1', '1 Main St, Milwaukee, WI', '3', '100000'],
  ['loan 2', '1 MAIN ST., Milwaukee, WI', 'abc', '5000'],
  ['loan 3', '1 MAIN ST., Milwaukee, WI', '3', '20000'],
  ['loan 4', '2 Main St, Milwaukee, WI', '3', '90000'],
  ['loan 5', '1 Main St, Milwaukee, WI', '3', '100000'],
].map((cells) => `${cells.map((cell) => `"${cell}"`).join(',')},2\n`);
const LOANS = `Loan,Address,BR,Balance,Baths\n${HOMES.join('')}`;
const LOANS_MAPPING = [
  ...MAPPING.slice(0, 3),
  { path: 'file.balance', column: 3 },
  { path: 'property_fields.total_bathrooms', column: 4 },
];

onConsole(
  'rows that repeat a home are left out only if the user chooses so, and the download says of which row',
  async (console) => {
    const browser = await signedIn(console);
    const loans = { avm_type: 'property', mapping: LOANS_MAPPING };
    const submission = { ...SUBMISSION, ...loans };
    for (const leaves of [false, true]) {
      const id = await upload(console, browser, LOANS);
      await browser.ask('POST', `uploads/${id}/read`);
      const { body: checked } = await browser.ask('POST', `uploads/${id}/check`, loans);
      const repeats = [4, 6].map((row) => ({ row, repeats_row: 2 }));
      assert.deepEqual(checked.repeated_rows, [{ by: 'home', count: 2, rows: repeats }]);
      assert.deepEqual([checked.good_rows, checked.credits_max], [4, 120]);
      assert.deepEqual(checked.without_repeats, {
        good_rows: 3,
        jobs: 1,
        credits_max: 90,
        second_loans: 1,
      });
      const body = { ...submission, ...(leaves && { leaves_out_repeats: true }), sends_again: true };
      assert.equal((await browser.ask('POST', `uploads/${id}/submit`, body)).status, 200);
      await browser.ask('POST', `uploads/${id}/send`);
      const { body: progress } = await browser.ask('GET', `uploads/${id}`);
      assert.deepEqual([progress.row_count, progress.total], [5, leaves ? 3 : 4]);
      await browser.ask('POST', `uploads/${id}/cancel`);
      const csv = await browser.ask('GET', `uploads/${id}/results.csv`);
      const lines = csv.text.trimEnd().split('\r\n').slice(1);
      assert.deepEqual(
        lines.map((line) => /not sent.*|cancelled/.exec(line)?.[0].replaceAll(/^not sent,+|[",]+$/g, '')),
        leaves
          ? [
              'cancelled',
              'Bedrooms: “abc” is not a number',
              'cancelled',
              'cancelled',
              'The row repeats the home of row 2.',
            ]
          : ['cancelled', 'Bedrooms: “abc” is not a number', 'cancelled', 'cancelled', 'cancelled'],
      );
      const { body: credits } = await browser.ask('POST', `uploads/${id}/rerun-check`, {});
      assert.deepEqual([credits.credits_max, credits.tried_rows], [leaves ? 90 : 120, 4]);
      const badDate = await browser.ask('POST', `uploads/${id}/rerun`, { date: 'yesterday' });
      assert.equal(badDate.status, 422);
      const { body: again } = await browser.ask('POST', `uploads/${id}/rerun`, { date: '2024-12-31' });
      const { body: rerun } = await browser.ask('GET', `uploads/${again.id}`);
      assert.equal(rerun.total, leaves ? 3 : 4, 'a rerun has the same rows');
      const today = progress.submitted_at.slice(0, 10);
      assert.deepEqual([progress.as_of_date, rerun.as_of_date], [today, '2024-12-31']);
      await browser.ask('POST', `uploads/${again.id}/cancel`);

      const { body: other } = await browser.ask('POST', `uploads/${id}/rerun`, { date: '2024-06-30' });
      await browser.ask('POST', `uploads/${other.id}/cancel`);
      const { body: portfolio } = await browser.ask('GET', `uploads/${other.id}/portfolio`);
      const { id: previous, as_of_date: asOfDate } = portfolio.previous;
      assert.deepEqual([previous, asOfDate], [id, today], 'compared with the run that was repeated');
      const { body: list } = await browser.ask('GET', 'uploads');
      const listed = list.uploads.find((each: { id: string }) => each.id === other.id);
      assert.equal(listed.as_of_date, '2024-06-30');
    }
  },
);

onConsole('a workbook and a gzip file are read like CSV', async (console) => {
  const browser = await signedIn(console);
  const rows = [
    ['Loan', 'Address', 'Beds'],
    ['A', '1 Main St', '3'],
  ];
  const csv = rows.map((cells) => `${cells.join(',')}\n`).join('');
  for (const [bytes, format] of [
    [workbookBytes(rows), 'an Excel workbook, worksheet "Data", 3 columns'],
    [gzipSync(csv), 'text, utf-8, separated by commas, 3 columns'],
  ] as const) {
    const id = await uploadPieces(console, browser, bytes, { name: 'loans' });
    const { body } = await browser.ask('POST', `uploads/${id}/read`);
    assert.equal(body.format, format);
    assert.deepEqual(body.columns[1], { name: 'Address', samples: ['1 Main St'] });
  }
  const id = await upload(console, browser, 'a,b\n1,"2\n', 'broken.csv');
  const { body } = await browser.ask('POST', `uploads/${id}/read`);
  assert.equal(body.code, 'bad_request');
  assert.match(body.detail, /^broken\.csv, .*quote is not closed/);
});

const HOME = { location: { latitude: 43, longitude: -88 }, property_fields: { beds: 3, baths: 2 } };

onConsole('a job has a CSV file and a workbook once it has ended', async (console) => {
  const browser = await signedIn(console);
  const { body: job } = await browser.ask('POST', 'avm/batch/property', { properties: [HOME] });
  const csv = `jobs/${job.job_id}/results.csv`;
  assert.equal((await browser.ask('GET', csv)).status, 409);
  await browser.ask('POST', `avm/batch/${job.job_id}/cancel`);
  assert.match((await browser.ask('GET', csv)).text, /^\uFEFFindex,.*\r\n0,.*cancelled/);
  assert.match((await browser.ask('GET', csv.replace('.csv', '.xlsx'))).text, /^PK/);
});

onConsole('a retry can be read after the job that it retries has expired', async (console) => {
  const browser = await signedIn(console);
  const { body: first } = await browser.ask('POST', 'avm/batch/property', { properties: [HOME] });
  await browser.ask('POST', `avm/batch/${first.job_id}/cancel`);
  console.passMs(20 * DAY_MS);
  await browser.signIn('ada');
  const { body: retry } = await browser.ask('POST', `avm/batch/${first.job_id}/retry-failed`);
  await browser.ask('POST', `avm/batch/${retry.job_id}/cancel`);
  console.passMs(20 * DAY_MS);
  await browser.signIn('ada');
  assert.equal((await browser.ask('GET', `jobs/${first.job_id}`)).status, 410);
  assert.equal((await browser.ask('GET', `jobs/${retry.job_id}`)).status, 200);
});

onConsole('a file that was submitted before is submitted again only on request', async (console) => {
  const browser = await signedIn(console);
  const submit = async (id: string, body: object) =>
    (await browser.ask('POST', `uploads/${id}/submit`, { ...SUBMISSION, ...body })).status;
  const first = await upload(console, browser, FILE);
  await browser.ask('POST', `uploads/${first}/read`);
  assert.equal(await submit(first, {}), 200);
  const second = await upload(console, browser, FILE, 'the same.csv');
  const { body: sheet } = await browser.ask('POST', `uploads/${second}/read`);
  assert.deepEqual(
    sheet.earlier.map(({ id }: { id: string }) => id),
    [first],
  );
  assert.equal(await submit(second, {}), 409);
  assert.equal(await submit(second, { sends_again: true }), 200);
  const { body: sent } = await browser.ask('POST', `uploads/${first}/send`);
  const { body: sentAgain } = await browser.ask('POST', `uploads/${second}/send`);
  assert.deepEqual([sent.replays, sentAgain.replays, sentAgain.done], [0, 0, 3]);

  const other = await signedIn(console, 'ben');
  assert.deepEqual(
    (await other.ask('GET', 'uploads')).body.uploads,
    [],
    'files are visible only to their owner',
  );
  assert.equal((await other.ask('GET', `uploads/${first}`)).status, 404);
  assert.equal((await browser.ask('GET', 'uploads')).body.uploads.length, 2);
});

onConsole(
  'a file must be complete before it is read, and is deleted after its retention',
  async (console) => {
    const browser = await signedIn(console);
    const bytes = Buffer.alloc(PIECE_BYTES + 5, 'a,b\n1,2\n');
    const { body } = await browser.ask('POST', 'uploads', {
      name: 'two pieces.csv',
      byte_count: bytes.length,
    });
    const send = async (no: number, piece: Buffer) =>
      (await sendPiece(console, browser, `${body.id}/pieces/${no}`, piece)).statusCode;
    assert.equal(await send(1, bytes.subarray(PIECE_BYTES)), 200);
    assert.equal((await browser.ask('POST', `uploads/${body.id}/read`)).body.code, 'conflict');
    assert.equal(await send(0, bytes.subarray(0, 10)), 400, 'wrong length of the part');
    assert.equal(await send(7, bytes.subarray(0, 10)), 400);
    for (const _ of [1, 2]) assert.equal(await send(0, bytes.subarray(0, PIECE_BYTES)), 200);
    const { body: sheet } = await browser.ask('POST', `uploads/${body.id}/read`);
    assert.equal(sheet.row_count > 100_000, false);

    const large = await browser.ask('POST', 'uploads', {
      name: 'large.csv',
      byte_count: 50 * PIECE_BYTES + 1,
    });
    assert.match(large.body.detail, /50 MB/);
    const empty = await upload(console, browser, 'address,beds\n');
    assert.match((await browser.ask('POST', `uploads/${empty}/read`)).body.detail, /only one row/);
    assert.equal((await browser.ask('POST', `uploads/${empty}/read`)).status, 404, 'it was deleted');

    const unsent = await upload(console, browser, FILE);
    const kept = await upload(console, browser, FILE);
    for (const id of [unsent, kept]) await browser.ask('POST', `uploads/${id}/read`);
    await browser.ask('POST', `uploads/${kept}/submit`, SUBMISSION);
    console.passMs(DAY_MS);
    const { store } = console;
    const { signal } = new AbortController();
    const { clock } = console.people;
    const deleteOld = () => deleteExpired({ store, clock, retention: TEST_RETENTION }, signal);
    await deleteOld();
    const rest = async () => (await store.db.selectFrom('uploads').select('uploadId').execute()).length;
    assert.equal(await rest(), 1);
    console.passMs(29 * DAY_MS);
    await deleteOld();
    assert.equal(await rest(), 0);
    for (const table of ['upload_pieces', 'upload_rows', 'upload_parts'] as const) {
      assert.deepEqual(await store.db.selectFrom(table).select('uploadId').execute(), [], table);
    }
  },
);

onConsole(
  'what an account has stored is limited: files, long rows and rows larger than their file',
  async (console) => {
    const browser = await signedIn(console);
    const long = await upload(console, browser, `a,b\n${`x,${'y'.repeat(50_000)}\n`.repeat(100)}`);
    assert.match((await browser.ask('POST', `uploads/${long}/read`)).body.detail, /too large/);
    const wide = `${Array.from({ length: 200 }, (_, at) => `c${at}`).join(',')}\n${'a\n'.repeat(2000)}`;
    const id = await upload(console, browser, wide);
    const readings = await Promise.all([1, 2].map(() => browser.ask('POST', `uploads/${id}/read`)));
    assert.deepEqual(
      readings.map(({ status }) => status),
      [200, 200],
      'a file that is read twice at once is read once',
    );
    const { db } = console.store;
    const { byteCount, ...row } = await db.selectFrom('uploads').selectAll().executeTakeFirstOrThrow();
    assert.ok(byteCount > 1_000_000, 'its rows count as what they take up');
    for (let at = 1; at < 500; at++) {
      const uploadId = `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`;
      await db
        .insertInto('uploads')
        .values({ ...row, byteCount: 1, uploadId })
        .execute();
    }
    const next = await browser.ask('POST', 'uploads', { name: 'next.csv', byte_count: 1 });
    assert.equal(next.body.code, 'conflict', next.text);
  },
);

onConsole('a file that is cancelled while it is submitted leaves no open job', async (console) => {
  const browser = await signedIn(console);
  for (const [attempt, delayMs] of [0, 30, 90].entries()) {
    const id = await upload(console, browser, FILE, `loans ${attempt}.csv`);
    await browser.ask('POST', `uploads/${id}/read`);
    await browser.ask('POST', `uploads/${id}/submit`, { ...SUBMISSION, sends_again: true });
    const sending = browser.ask('POST', `uploads/${id}/send`);
    await sleep(delayMs);
    const cancelled = await browser.ask('POST', `uploads/${id}/cancel`);
    assert.equal(cancelled.status, 200, cancelled.text);
    assert.equal((await sending).status, 200);
    const { body: again } = await browser.ask('POST', `uploads/${id}/send`);
    assert.deepEqual([again.message, again.total], [null, 3]);
  }
  const { body } = await browser.ask('GET', 'avm/batch');
  const statuses = new Set(body.jobs.map(({ status }: { status: string }) => status));
  assert.ok(
    [...statuses].every((status) => status === 'cancelled'),
    [...statuses].join(),
  );
});

onConsole('a file that is deleted while it is read leaves no rows', async (console) => {
  const browser = await signedIn(console);
  const id = await upload(console, browser, FILE);
  const [read, deleted] = await Promise.all([
    browser.ask('POST', `uploads/${id}/read`),
    browser.ask('POST', `uploads/${id}/forget`),
  ]);
  assert.ok([200, 404].includes(read.status), read.text);
  assert.equal(deleted.status, 200, deleted.text);
  const rows = await console.store.db.selectFrom('upload_rows').selectAll().execute();
  assert.deepEqual(rows, []);
});
