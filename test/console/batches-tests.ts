import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { ADMINISTRATOR } from './add-users.ts';
import { county } from '../service-fixture.ts';
import { chooseFile, downloaded } from './upload-file.ts';
import type { OpenConsole } from './open-console.ts';

const ROWS = 200;
/** How many rows are also valued by single requests, to compare. */
const COMPARED = 5;
/** Three jobs: the last waits while the others are valued. */
const MANY_ROWS = 1500;
const REMARK = '=1+1, "quoted"';

interface FileRow {
  readonly reference: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly beds: number;
  readonly baths: number;
}

const rows: readonly FileRow[] = county.parcels.slice(0, ROWS).map(({ lat, lon }, at) => ({
  reference: `loan ${at}`,
  latitude: lat,
  longitude: lon,
  beds: 2 + (at % 3),
  baths: 2,
}));

/** As Excel writes it in Europe: a byte order mark, semicolons, and custom column names. */
function fileOf(lines: readonly FileRow[]): string {
  const cells = lines.map(({ reference, latitude, longitude, beds, baths }) =>
    [reference, latitude, longitude, beds, baths, `"${REMARK.replaceAll('"', '""')}"`].join(';'),
  );
  return `\uFEFFLoan Number;Lat;Long;BR;Baths;Remarks\r\n${cells.join('\r\n')}\r\n`;
}

/** Drops the file on the page, as from a folder. */
async function dropFile(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    ({ name, text }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name, { type: 'text/csv' }));
      return transfer;
    },
    { name, text },
  );
  await page.locator('.drop-zone').dispatchEvent('drop', { dataTransfer: data });
}

/** Values one row by a single request. */
function valueAlone(page: Page, row: FileRow, asOf: string): Promise<number> {
  return page.evaluate(
    async ({ latitude, longitude, beds, baths, asOf }) => {
      const session = await fetch('/console/api/session');
      const { csrf_token }: { csrf_token: string } = await session.json();
      const response = await fetch('/console/api/avm/property', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-csrf-token': csrf_token },
        body: JSON.stringify({
          location: { latitude, longitude },
          property_fields: { total_bedrooms: beds, total_bathrooms: baths },
          search_params: { date: asOf },
        }),
      });
      const { valuation }: { valuation: { estimated_value: number } } = await response.json();
      return valuation.estimated_value;
    },
    { ...row, asOf },
  );
}

function usd(value: number): string {
  return `$${value.toLocaleString('en-US')}`;
}

/** The dollars in each row of a table, without ranges, which are second lines. */
function dollarsIn(page: Page, name: string): Promise<number[][]> {
  return page
    .getByRole('region', { name })
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('td')].flatMap(({ firstChild }) => {
          const text = firstChild?.textContent ?? '';
          return /^[+−]?\$[\d,]+$/.test(text)
            ? [Number(text.replace('−', '-').replaceAll(/[$,+]/g, ''))]
            : [];
        }),
      ),
    );
}

/** Tests of uploaded files, their jobs and their results. */
export function testBatches(open: () => OpenConsole): void {
  test('a file of 200 rows is valued and downloaded with its own columns and the same values as single requests', async () => {
    const page = await open().openSignedIn();
    await chooseFile(page, 'portfolio.csv', fileOf(rows));
    await page.getByText('All 200 rows can be sent.').waitFor();
    const asOf = page.getByLabel('Column for As-of date').locator('option:checked');
    assert.equal(await asOf.innerText(), 'Today, in every row');
    await page.getByRole('button', { name: 'Value 200 rows' }).click();
    await page.getByText('200 of 200 rows valued.').waitFor();
    const records: Record<string, string>[] = parse(await downloaded(page, 'Download CSV'), {
      bom: true,
      columns: true,
    });
    assert.deepEqual(
      records.map((record) => [record['Loan Number'], record.property_id, record.status, record.Remarks]),
      rows.map(({ reference }) => [reference, reference, 'complete', `'${REMARK}`]),
    );
    for (const at of Array.from({ length: COMPARED }, (_, i) => i * Math.floor(ROWS / COMPARED))) {
      const alone = await valueAlone(page, rows[at], records[at].as_of_date);
      assert.equal(Number(records[at].estimated_value), alone, `row ${at}`);
    }
    const lines = (await downloaded(page, 'Download NDJSON')).trimEnd().split('\n');
    assert.equal(lines.length, ROWS);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)).map(({ row, property_id }) => [row, property_id]),
      rows.map(({ reference }, at) => [at + 2, reference]),
    );
    // The order and the position are the same after a visit to a valuation.
    await page.getByRole('button', { name: 'FSD', exact: true }).click();
    const table = page.getByRole('region', { name: 'Table: Properties of the file' });
    await page.getByRole('button', { name: 'Show 200' }).click();
    const opened = table.getByRole('row').nth(150).getByRole('link');
    const reference = await opened.innerText();
    await opened.scrollIntoViewIfNeeded();
    const top = await page.evaluate(() => window.scrollY);
    assert.ok(top > 1000);
    await opened.click();
    await page.getByText('Stored value').waitFor();
    await page.goBack();
    await page.waitForFunction((y) => Math.abs(window.scrollY - y) < 2, top);
    assert.equal(await opened.innerText(), reference);
    open().assertClean();
    await page.context().close();
  });

  test('addresses alone are valued by the public record, added up with their loans, valued again, compared and watched', async () => {
    const page = await open().openSignedIn();
    const homes = county.parcels.filter(({ type }) => type === 'houses').slice(0, 6);
    const lines = homes.map(
      ({ address: { street, city } }, at) => `loan ${at},"${street}, ${city}",${200_000 + 10_000 * at}`,
    );
    await chooseFile(page, 'loans.csv', `Loan,Address,UPB\n${lines.join('\n')}\n`);
    await page.getByRole('button', { name: 'Value 6 rows' }).click();
    await page.getByText('6 of 6 rows valued.').waitFor();
    await page.getByText('$1,350,000 on valued homes').waitFor();
    const loans: Record<string, string>[] = parse(await downloaded(page, 'Download CSV'), {
      bom: true,
      columns: true,
    });
    assert.deepEqual(
      loans.map((row) => row.loan_to_value),
      loans.map((row) => String(Number(row.UPB) / Number(row.estimated_value))),
    );
    const table = page.getByRole('region', { name: 'Properties of the file' });
    const cells = (name: string) => dollarsIn(page, name);
    const values = await cells('Properties of the file');
    const total = values.reduce((sum, [value]) => sum + value, 0);
    await page.locator('dl.figures').getByText(usd(total), { exact: true }).waitFor();
    assert.equal(await table.getByRole('link').count(), 6);

    const limit = page.getByLabel('FSD at most (%)');
    await limit.fill('7');
    await page.waitForURL('**?fsd=7');
    await limit.fill('');
    assert.equal(await limit.inputValue(), '', 'the field can be cleared');
    await limit.blur();
    assert.equal(await limit.inputValue(), '7', 'the last limit stays');

    await page.getByRole('button', { name: 'Value again …' }).click();
    await page.getByRole('button', { name: 'Value again', exact: true }).click();
    await page.getByText('0 values changed, 6 did not.').waitFor();

    const file = page.url();
    await page.getByRole('button', { name: 'Value again …' }).click();
    await page.getByLabel('As-of date of all rows').fill('1990-01-01');
    await page.getByText(/the earliest date served is/).waitFor();
    assert.ok(await page.getByRole('button', { name: 'Value again', exact: true }).isDisabled());

    await chooseFile(page, 'none.csv', 'address,beds,baths\n"1 Nowhere Road, Nowhere",3,2\n');
    await page.getByRole('button', { name: 'Value 1 row' }).click();
    await page.getByText('0 of 1 row valued, 1 failed.').waitFor();
    await page.getByRole('heading', { name: 'Not valued (1)' }).waitFor();
    await page.goto(file);
    const ratios = values.map((dollars) => (100 * (dollars.at(-1) ?? 0)) / dollars[0]);
    const limitPct = Math.round(ratios.toSorted((a, b) => a - b)[2]) + 0.5;
    const above = ratios.filter((ratio) => ratio > limitPct);
    assert.ok(above.length > 0 && above.length < 6, `${ratios}`);
    await page.getByRole('button', { name: 'Watch these homes …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('six loans');
    await dialog.getByLabel('Alert when loans exceed, % of the value').fill(String(limitPct));
    await dialog.getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByRole('heading', { name: 'six loans' }).waitFor();
    await page.getByText(`loans that come to exceed ${limitPct}% of the value`).waitFor();
    await page.locator('dl.figures').getByText(usd(total), { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Settings …' }).click();
    const settings = page.getByRole('dialog');
    assert.equal(
      await settings.getByLabel('Alert when loans exceed, % of the value').inputValue(),
      String(limitPct),
    );
    await settings.getByLabel('Alert when a value changes by at least, %').fill('3');
    await settings.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('values that change by 3% or more').waitFor();
    const alerts = page.getByRole('region', { name: 'Table: Alerts' });
    await alerts.getByRole('row').nth(above.length).waitFor();
    assert.equal(await alerts.getByRole('row').count(), above.length + 1);
    await page.getByRole('button', { name: 'Value now …' }).click();
    await page.getByRole('button', { name: 'Value now', exact: true }).click();
    const runs = page.getByRole('region', { name: 'Table: Runs' });
    await runs.getByText('complete').waitFor();
    await page.getByText('is being valued and compared').waitFor({ state: 'detached' });
    assert.equal(await alerts.getByRole('row').count(), above.length + 1, 'nothing has changed');
    await dismissAndUndo(page, above.length);
    const csv: Record<string, string>[] = parse(await downloaded(page, 'Download CSV'), {
      bom: true,
      columns: true,
    });
    assert.deepEqual(
      new Set(csv.map((row) => `${row.estimated_value} ${row.loan_balance}`)),
      new Set(values.map((dollars) => `${dollars[0]} ${dollars.at(-1)}`)),
    );
    const portfolio = page.url();
    await page.goto(file);
    await page.getByRole('button', { name: 'Watch these homes …' }).click();
    await page
      .getByRole('dialog')
      .getByLabel('Portfolio')
      .selectOption({ label: 'six loans: replace its loan balances' });
    await page.getByRole('button', { name: 'Replace balances' }).click();
    await page.getByText('6 homes found by reference; 0 had another balance.').waitFor();
    await page.goto(portfolio);
    await page.getByRole('button', { name: 'Stop watching …' }).click();
    await page.getByRole('button', { name: 'Stop watching', exact: true }).click();
    await page.getByRole('heading', { name: 'Portfolios', exact: true }).waitFor();
    await page.getByText('Loading the portfolios').waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('link', { name: 'six loans' }).count(), 0);
    open().assertClean();
    await page.context().close();
  });

  test('problems are reported before anything is sent, rows can be left out, and a file is valued again only on request', async () => {
    const page = await open().openSignedIn();
    const submissions: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/submit')) submissions.push(request.url());
    });
    const file = fileOf(rows.slice(0, 3)).replace(';3;2;', ';abc;2;');
    await chooseFile(page, 'three.csv', file);
    await page.getByText(/Row 3, Bedrooms \(column “BR”\): “abc” is not a number\./).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Value 2 rows' }).isDisabled(), true);
    assert.deepEqual(submissions, []);
    await page.getByLabel('Leave this row out, and send the other 2').check();
    await page.getByRole('button', { name: 'Value 2 rows' }).click();
    await page.getByText('2 of 2 rows valued.').waitFor();
    const records: Record<string, string>[] = parse(await downloaded(page, 'Download CSV'), {
      bom: true,
      columns: true,
    });
    assert.deepEqual(
      records.map(({ status }) => status),
      ['complete', 'not sent', 'complete'],
    );
    assert.match(records[1].error, /“abc” is not a number/);
    assert.equal(submissions.length, 1);
    const jobOf = (of: Page) =>
      of.getByRole('region', { name: 'Jobs of the file' }).getByRole('link').getAttribute('href');
    const job = await jobOf(page);

    // Another browser of the same user.
    const other = await open().openSignedIn();
    await chooseFile(other, 'three.csv', file);
    await other.getByLabel('Leave this row out, and send the other 2').check();
    await other.getByText(/You sent this file on/).waitFor();
    assert.equal(await other.getByRole('button', { name: 'Value 2 rows' }).isDisabled(), true);
    await other.getByRole('link', { name: 'See its results' }).click();
    await other.getByText('2 of 2 rows valued.').waitFor();
    assert.equal(await jobOf(other), job);
    open().assertClean();
    await Promise.all([page, other].map((each) => each.context().close()));
  });

  test('rows are dropped or pasted, sending continues after a reload, and all jobs of a file can be canceled', async () => {
    const page = await open().openSignedIn();
    await page.goto('/console/batches/new');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.of() });
    await page.getByText('The file is empty.').waitFor();
    const pasted = fileOf(rows.slice(0, 2)).slice(1).replaceAll(';', '\t');
    await page.getByRole('button', { name: 'Paste rows' }).click();
    await page.getByLabel('Rows', { exact: true }).fill(pasted);
    await page.getByRole('button', { name: 'Use these rows' }).click();
    await page.getByText('All 2 rows can be sent.').waitFor();
    await page.getByRole('button', { name: 'Choose another' }).click();

    // Three jobs. None can be created until the page is reloaded and the confirmation of the cancellation is open.
    // Otherwise a fast server could value all rows before they are canceled.
    const many = Array.from({ length: MANY_ROWS }, (_, at) => rows[at % ROWS]);
    await page.route('**/console/api/uploads/*/send', (route) => route.abort());
    await dropFile(page, 'many.csv', fileOf(many));
    await page.getByText(`All ${MANY_ROWS.toLocaleString('en-US')} rows can be sent.`).waitFor();
    await page.getByRole('button', { name: /^Value / }).click();
    await page.getByText('Trying again in').waitFor();
    const file = page.url();
    await page.reload();
    assert.equal(page.url(), file);
    await page.getByText('Trying again in').waitFor();
    await page.getByRole('button', { name: 'Cancel all …' }).click();
    await page.unroute('**/console/api/uploads/*/send');
    const last = page.getByRole('link', { name: '3', exact: true, includeHidden: true });
    await last.waitFor({ state: 'attached' });
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel all' }).click();
    await page.getByText('canceled', { exact: true }).first().waitFor();
    // Canceled rows do not count as failed.
    await page.getByRole('button', { name: /^Retry [\d,]+ (canceled|not valued) …$/ }).waitFor();
    open().assertClean();
    await page.context().close();
  });

  test('an unknown address is the only failed row, is listed by its cause, and can be retried', async () => {
    const page = await open().openSignedIn();
    const [first] = rows;
    const text = `address,lat,lon,beds,baths\n"1 Nowhere Road, Nowhere, XX 99999",,,3,2\n,${first.latitude},${first.longitude},3,2\n`;
    await chooseFile(page, 'nowhere.csv', text);
    await page.getByText('1 of 2 rows has no value with this file.').waitFor();
    await page.getByText('Address not found (1 row).').waitFor();
    await page.getByRole('button', { name: 'Value 2 rows' }).click();
    await page.getByText('1 of 2 rows valued, 1 failed.').waitFor();
    await page.getByRole('link', { name: '1', exact: true }).click();
    await page.getByRole('tab', { name: 'Failures (1)' }).click();
    await page.getByText('address_not_found').waitFor();
    const failed = page.url();
    await page.getByRole('button', { name: 'Retry 1 failed …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await page.getByText('the failed properties of an earlier job').waitFor();
    await page.getByRole('link', { name: 'nowhere.csv' }).click();
    await page.getByText('1 of 2 rows valued, 1 failed.').waitFor();
    await page.getByText('1 time', { exact: true }).waitFor();
    await page.goto(failed);
    await page.getByRole('button', { name: 'Retry 1 failed again …' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'a later job' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.goto('/console/batches');
    await page.getByRole('rowheader', { name: 'nowhere.csv retry' }).waitFor();
    open().assertClean();
    await page.context().close();
  });
}

/** Runs in the browser. */
function isFocused(name: string): boolean {
  const { activeElement } = document;
  return (activeElement?.ariaLabel ?? activeElement?.textContent) === name;
}

/** On the page of a portfolio with some open alerts: leaves them as they were. */
async function dismissAndUndo(page: Page, open: number): Promise<void> {
  const alerts = page.getByRole('region', { name: 'Table: Alerts' });
  const counts = async (opened: number): Promise<void> => {
    await page.getByRole('radio', { name: `Open (${opened})` }).waitFor();
    await page.getByRole('radio', { name: `Dismissed (${open - opened})` }).waitFor();
  };
  const buttons = await alerts
    .getByRole('button', { name: /^Dismiss alert/ })
    .evaluateAll((all) => all.map((button) => button.ariaLabel ?? ''));
  const focused = (name: string) => page.waitForFunction(isFocused, name);
  await page.getByRole('button', { name: buttons[0], exact: true }).press('Enter');
  await page.getByText('1 alert dismissed.').waitFor();
  await focused(buttons[1]);
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await focused(buttons[0]);
  await page.keyboard.press('Enter');
  await focused(buttons[1]);
  await counts(open - 1);
  assert.equal(await alerts.getByRole('row').count(), open, 'the other rows stay');
  await page.getByRole('radio', { name: 'Dismissed (1)' }).check();
  await alerts.getByRole('columnheader', { name: 'Dismissed' }).waitFor();
  await alerts.getByText(ADMINISTRATOR.name, { exact: true }).waitFor();
  await page.getByRole('radio', { name: `Open (${open - 1})` }).check();
  await page.getByRole('button', { name: 'Undo' }).click();
  await counts(open);
  await page.getByRole('button', { name: `Dismiss all ${open}` }).press('Enter');
  await page.getByText('No open alerts').waitFor();
  await counts(0);
  await focused('Undo');
  await page.getByRole('button', { name: 'Undo' }).click();
  await counts(open);
  await page.getByLabel('Kind').selectOption('New sales nearby');
  await page.getByText('No open alerts of this kind').waitFor();
  await page.getByLabel('Kind').selectOption('Loans above the limit');
  await alerts.getByRole('row').nth(open).waitFor();
}
