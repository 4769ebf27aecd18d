/**
 * Challenges a value in a browser as an appraiser does, with times, and then the same over the API and MCP:
 *
 *   node bench/challenge-page.ts --data data --address "249 W Canal St, Plumb Falls" --pictures .pictures
 *
 * on a copy of an installation's data. First the time from a click (exclude, pin, adjust) to the changed value on the
 * page. Then value, exclude two comparables, add one, correct a fact, renovate, save, decide and print, with a picture
 * after each step. Then the same changes over HTTP and MCP, whose values must be equal and replay to the byte.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Page } from 'playwright-core';
import { createKey } from '../src/accounts/manage-keys.ts';
import { BUILT_IN_PLANS } from '../src/accounts/plans.ts';
import { systemClock } from '../src/clock.ts';
import { COMMAND_LINE } from '../src/store/audit-log.ts';
import { openStore } from '../src/store/open-store.ts';
import { mapDrawn, settled, type OpenConsole } from '../test/console/open-console.ts';
import { withCopyOf } from '../test/console/open-copy.ts';
import type { Json } from '../test/json.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: 'data' },
    address: { type: 'string', default: '249 W Canal St, Plumb Falls' },
    /** Of the sale that is added. */
    added: { type: 'string', default: '137 W Canal St, Plumb Falls' },
    date: { type: 'string' },
    pictures: { type: 'string', default: '.pictures' },
    scheme: { type: 'string', default: 'light' },
    width: { type: 'string', default: '1440' },
  },
});
const ROUNDS = 15;
/** A user looks at the result before the next click. */
const LOOK_MS = 400;

await withCopyOf(options.data, async (under) => {
  mkdirSync(options.pictures, { recursive: true });
  await measureClicks(under);
  await overApiAndMcp(under, await walkThrough(under));
  under.assertClean();
});

async function openHome(under: OpenConsole): Promise<Page> {
  const colorScheme = options.scheme === 'dark' ? 'dark' : 'light';
  const width = Number(options.width);
  const page = await under.openSignedIn({ colorScheme, viewport: { width, height: 900 } });
  const date = options.date === undefined ? '' : `&date=${options.date}`;
  await page.goto(`/console/value?address=${encodeURIComponent(options.address)}${date}`);
  await page.locator('#point-value').waitFor();
  await settled(page);
  return page;
}

async function measureClicks(under: OpenConsole): Promise<void> {
  const page = await openHome(under);
  await mapDrawn(page);
  // The first change of a session compiles code, on both sides.
  const all: number[] = [];
  for (const kind of ['exclude', 'pin', 'adjust'] as const) {
    const taken: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const number = String(1 + (round % 5));
      const row = page
        .locator('tr[data-comp]')
        .filter({ has: page.getByRole('button', { name: `Exclude comparable ${number}`, exact: true }) });
      const id = (await row.getAttribute('data-comp')) ?? '';
      if (kind === 'adjust') {
        await page.getByRole('button', { name: `Adjust comparable ${number}`, exact: true }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Market conditions, USD').fill(String(10_001 + round));
        await dialog.getByLabel('Reason').fill('Measured');
        taken.push(await clickUntil(page, 'dialog button[type=submit]', kind, id, 10_001 + round));
      } else {
        const label = `${kind === 'exclude' ? 'Exclude' : 'Pin'} comparable ${number}`;
        taken.push(await clickUntil(page, `[aria-label="${label}"]`, kind, id, 0));
      }
      await page.waitForTimeout(LOOK_MS);
      await settled(page);
      if (round % 5 === 4) {
        await page.getByRole('button', { name: 'Discard all changes' }).click();
        await page.getByRole('button', { name: 'Discard', exact: true }).click();
        await settled(page);
        await page.waitForTimeout(LOOK_MS);
      }
    }
    report(kind, taken);
    all.push(...taken);
  }
  report('all', all);
  await page.context().close();
}

/** Milliseconds from the click to the frame that shows the changed comparable, which comes with the changed value. */
function clickUntil(page: Page, button: string, kind: string, id: string, amount: number): Promise<number> {
  return page.evaluate(
    ({ button, kind, id, amount }) => {
      const isDone = (): boolean => {
        const row = document.querySelector(`tr[data-comp="${CSS.escape(id)}"]`);
        if (kind === 'exclude') return row === null;
        if (kind === 'pin') return row?.querySelector('.badge') !== null;
        return row?.querySelector(`[data-amount="${amount}"]`) !== null;
      };
      return new Promise<number>((resolve) => {
        const started = performance.now();
        const observer = new MutationObserver(() => {
          if (!isDone()) return;
          observer.disconnect();
          requestAnimationFrame(() => resolve(performance.now() - started));
        });
        observer.observe(document.body, {
          subtree: true,
          childList: true,
          attributes: true,
          characterData: true,
        });
        document.querySelector<HTMLButtonElement>(button)?.click();
      });
    },
    { button, kind, id, amount },
  );
}

function report(what: string, ms: readonly number[]): void {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (q: number): string => sorted[Math.ceil((sorted.length - 1) * q)].toFixed(0);
  console.log(
    `${what.padEnd(10)} p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${at(1)} ms (${ms.length} clicks)`,
  );
}

/** Every step in the browser. Returns what the page sent when the challenge was saved, and the value. */
async function walkThrough(under: OpenConsole) {
  const started = performance.now();
  const page = await openHome(under);
  let last = started;
  const step = async (name: string): Promise<void> => {
    await settled(page);
    console.log(`${name.padEnd(28)} ${(performance.now() - last).toFixed(0)} ms`);
    await mapDrawn(page);
    const path = join(
      options.pictures,
      `challenge-${name.replaceAll(' ', '-')}-${options.width}-${options.scheme}.png`,
    );
    await page.screenshot({ path, fullPage: true, animations: 'disabled' });
    last = performance.now();
  };
  await step('1 value');
  for (const nth of [1, 2]) {
    const firstRow = page.locator('tr[data-comp]').first();
    const id = await firstRow.getAttribute('data-comp');
    await firstRow.getByRole('button', { name: /^Exclude/ }).click();
    await page.locator(`tr[data-comp="${id}"]`).waitFor({ state: 'detached' });
    await step(`2 exclude ${nth}`);
  }
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add a sale' }).click();
  await dialog.getByRole('combobox', { name: 'Address or coordinates' }).fill(options.added);
  await dialog.getByLabel('Price, USD').fill('$250,000');
  const soldOn = new Date(Date.parse(options.date ?? new Date().toISOString()) - 60 * 86_400_000);
  await dialog.getByLabel('Date of sale').fill(soldOn.toISOString().slice(0, 10));
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('added', { exact: true }).waitFor();
  await step('3 add a sale');
  const area = page.locator('[data-field=living_area] input[type=number]');
  await area.fill(String(Math.round(Number(await area.inputValue()) * 1.1)));
  await page.locator('[data-field=living_area]').getByText('edited').waitFor();
  await page.locator('.split').getByText('(Corrected details)').waitFor();
  await step('4 correct a fact');
  for (const [what, cost, year] of [
    ['New roof', '$18,000', soldOn.toISOString().slice(0, 4)],
    ['Kitchen', '$32,000', ''],
  ]) {
    await page.getByRole('button', { name: 'Add a renovation' }).click();
    await dialog.getByLabel('What was or will be done').fill(what);
    await dialog.getByLabel('Cost, USD').fill(cost);
    await dialog.getByLabel('Year of completion').fill(year);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row').filter({ hasText: what }).getByText('of the cost').waitFor();
  }
  await step('5 renovate');
  await page.getByRole('button', { name: 'Save challenge' }).click();
  await dialog.getByLabel('Note').fill('Two sales are of another kind of home');
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.url().endsWith('/challenge') && one.method() === 'POST'),
    dialog.getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  const saved: Json = await (await request.response())?.json();
  await page
    .getByRole('button', { name: /^Decide version/ })
    .first()
    .waitFor();
  await step('6 save');
  await page
    .getByRole('button', { name: /^Decide version/ })
    .first()
    .click();
  await dialog.getByLabel('Reason').fill('The sales are comparable as corrected');
  await dialog.getByRole('radio', { name: 'Accept' }).check();
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
  await page.getByRole('region', { name: 'Saved challenges' }).getByText('accepted').waitFor();
  await step('7 decide');
  const { valuation_id: id } = saved.valuation;
  const printed = await page.request.get(
    `/console/api/valuations/${id}/report?version=appraiser&format=pdf&paper=letter`,
  );
  assert.equal(printed.status(), 200);
  writeFileSync(join(options.pictures, 'challenge-report.pdf'), await printed.body());
  await step('8 print');
  await page.context().close();
  return { originalId: saved.challenge.original_valuation_id, body: request.postDataJSON(), saved };
}

/** The same changes over HTTP and over MCP, each on a valuation of its own. */
async function overApiAndMcp(
  { url, settings }: OpenConsole,
  walked: Awaited<ReturnType<typeof walkThrough>>,
) {
  const store = await openStore(settings);
  const deps = { store, clock: systemClock, randomBytes, plans: BUILT_IN_PLANS };
  const { text: key } = await createKey(deps, COMMAND_LINE, { name: 'walkthrough' });
  await store.close();
  const overHttp = async (path: string, body?: object): Promise<Json> => {
    const response = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text);
  };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['bin/plumbline.js', 'mcp'],
    env: { PATH: process.env.PATH ?? '', PLUMBLINE_DATA: settings.dataDir, LOG_LEVEL: 'warn' },
  });
  const client = new Client({ name: 'walkthrough', version: '1.0.0' });
  await client.connect(transport);
  const overMcp = async (name: string, given: object): Promise<Json> => {
    const result: Json = await client.callTool({ name, arguments: { ...given } });
    assert.ok(!result.isError, JSON.stringify(result));
    return result.structuredContent;
  };
  // Over the API the rooms are required; the page takes them from the record.
  const { inputs } = (await overHttp(`/v1/valuations/${walked.originalId}`)).valuation;
  const rooms = ['total_bedrooms', 'total_bathrooms'].map((field) => [
    field,
    inputs.find((input: Json) => input.field === field).value,
  ]);
  const home = {
    location: { address: options.address },
    property_fields: Object.fromEntries(rooms),
    search_params: { num_comps: 20, ...(options.date === undefined ? {} : { date: options.date }) },
  };
  const ways = {
    API: {
      value: () => overHttp('/v1/avm/property', home),
      challenge: (id: string) => overHttp(`/v1/valuations/${id}/challenge`, walked.body),
    },
    MCP: {
      value: () => overMcp('value_home', home),
      challenge: (id: string) => overMcp('challenge_valuation', { valuation_id: id, ...walked.body }),
    },
  };
  for (const [name, way] of Object.entries(ways)) {
    const started = performance.now();
    const { valuation } = await way.value();
    const challenged = await way.challenge(valuation.valuation_id);
    const { valuation_id: id, point_value: value } = challenged.valuation;
    const ms = (performance.now() - started).toFixed(0);
    assert.deepEqual(comparable(challenged), comparable(walked.saved), name);
    const replay = await overHttp(`/v1/valuations/${id}/replay`, {});
    assert.equal(replay.agrees, true, `${name}: ${id} does not replay`);
    console.log(
      `${name.padEnd(28)} $${value.toLocaleString('en-US')} as in the browser, replayed to the byte, ${ms} ms`,
    );
  }
  await client.close();
}

/** Without ids, and without the source of the rooms. */
function comparable({ valuation, comparables, changes: { before, split, renovations } }: Json): Json {
  const { point_value, confidence_interval_90, estimators } = valuation;
  return { point_value, confidence_interval_90, estimators, comparables, before, split, renovations };
}
