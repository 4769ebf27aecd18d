/**
 * Measures in a browser the time from a click (exclude, pin, adjust a comparable) to the changed value on the page:
 *
 *   node bench/challenge-page.ts --data data --address "249 W Canal St, Plumb Falls"
 *
 * on a copy of an installation's data.
 */
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { mapDrawn, settled, type OpenConsole } from '../test/console/open-console.ts';
import { withCopyOf } from '../test/console/open-copy.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: 'data' },
    address: { type: 'string', default: '249 W Canal St, Plumb Falls' },
    date: { type: 'string' },
  },
});
const ROUNDS = 15;
/** A user looks at the result before the next click. */
const LOOK_MS = 400;

await withCopyOf(options.data, async (under) => {
  await measureClicks(under);
  under.assertClean();
});

async function openHome(under: OpenConsole): Promise<Page> {
  const page = await under.openSignedIn({ viewport: { width: 1440, height: 900 } });
  const date = options.date === undefined ? '' : `&date=${options.date}`;
  await page.goto(`/console/value?address=${encodeURIComponent(options.address)}${date}`);
  await page.locator('#answer-value').waitFor();
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
        await page.getByRole('button', { name: 'Discard changes' }).click();
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
