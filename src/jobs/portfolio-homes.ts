import { dayOfInstant, type Day } from '../domain/day.ts';
import type { PropertyValuationRequest } from '../operations/valuation-types.ts';
import { parseJsonText } from '../store/json-text.ts';
import { readHomes, readHomeValues, type PortfolioHome, type PortfolioRow } from '../store/portfolios.ts';
import type { StoreDb } from '../store/store.ts';
import type { ItemRequest } from '../store/tables/jobs.ts';
import type { SubmitDeps } from './submit-batch.ts';

/** Homes read at once. */
const PAGE_HOMES = 500;

/** The homes of a portfolio from a number on, a page at a time. */
export function homesOf(
  { store }: Pick<SubmitDeps, 'store'>,
  portfolioId: string,
  from = 0,
): AsyncGenerator<readonly PortfolioHome[]> {
  return pagesOf((range) => readHomes(store.db, portfolioId, range), from);
}

/** Their requests, loan balances and latest values. */
export function homeValuesOf({ db }: StoreDb, portfolioId: string) {
  return pagesOf((range) => readHomeValues(db, portfolioId, range));
}

async function* pagesOf<Home extends Pick<PortfolioHome, 'homeNo'>>(
  read: (range: { readonly from: number; readonly limit: number }) => Promise<readonly Home[]>,
  first = 0,
): AsyncGenerator<readonly Home[]> {
  for (let from = first; ;) {
    const page = await read({ from, limit: PAGE_HOMES });
    if (page.length > 0) yield page;
    if (page.length < PAGE_HOMES) return;
    from = page[page.length - 1].homeNo + 1;
  }
}

export function itemOn(asOf: Day) {
  return (
    { propertyId, request }: Pick<PortfolioHome, 'propertyId' | 'request'>,
    itemNo: number,
  ): ItemRequest => {
    const dated: PropertyValuationRequest = { ...parseJsonText<PropertyValuationRequest>(request), asOf };
    return { itemNo, propertyId, request: JSON.stringify(dated) };
  };
}

/** The items of a run, and the numbers of their homes. */
export interface RunItems {
  readonly items: readonly ItemRequest[];
  readonly homeNos: readonly number[];
}

/** The items of a run today. Items of a job have numbers without gaps; homes that were removed leave gaps. */
export async function itemsOf(deps: SubmitDeps, { portfolioId }: PortfolioRow): Promise<RunItems> {
  const toItem = itemOn(dayOfInstant(deps.clock()));
  const items: ItemRequest[] = [];
  const homeNos: number[] = [];
  for await (const page of homesOf(deps, portfolioId)) {
    for (const home of page) {
      items.push(toItem(home, items.length));
      homeNos.push(home.homeNo);
    }
  }
  return { items, homeNos };
}

/** The first number of homes that follow each other, and how many follow it. */
type HomeRange = readonly [first: number, after: number];

/** Ascending numbers of homes as they are stored with a run; null if they are 0, 1, 2 and so on. */
export function homeRangesText(homeNos: readonly number[]): string | null {
  if (homeNos.every((homeNo, itemNo) => homeNo === itemNo)) return null;
  const ranges: [number, number][] = [];
  for (const homeNo of homeNos) {
    const last = ranges.at(-1);
    if (last && homeNo === last[0] + last[1] + 1) last[1]++;
    else ranges.push([homeNo, 0]);
  }
  return JSON.stringify(ranges);
}

/** The number of the home of each item of a run. */
export function homeNosOf(homeRanges: string | null, total: number): readonly number[] {
  const ranges = homeRanges === null ? [[0, total - 1] as const] : parseJsonText<HomeRange[]>(homeRanges);
  return ranges.flatMap(([first, after]) => Array.from({ length: after + 1 }, (_, i) => first + i));
}
