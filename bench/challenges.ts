/**
 * Measures challenges of home values on a market with a trained model:
 *
 *   node bench/challenges.ts --market wi-milwaukee --as-of 2022-12-31
 *
 * - whether facts that were left out and then corrected give the value of the full request, byte for byte;
 * - how often sets of 8 of the 20 comparables get the warning `comparables_selected_by_price`: the 8 lowest and the 8
 *   highest adjusted prices, and 8 at random;
 * - the time of a preview: the value with changes, and the 20 sales to choose from.
 *
 * Nothing is written. About three minutes for 2,000 homes.
 */
import { parseArgs } from 'node:util';
import { withStore } from '../src/cli/configured-store.ts';
import { parseDay, type Day } from '../src/domain/day.ts';
import { ATTRIBUTES, attributesOf, PROPERTY_TYPES, type Attributes } from '../src/domain/property.ts';
import { changedInputs } from '../src/operations/past/challenges.ts';
import { NO_CHANGES } from '../src/operations/property/gather-changes.ts';
import { locate } from '../src/operations/locate-place.ts';
import { gatherInputsWithChanges } from '../src/operations/property/gather-changes.ts';
import type { PropertyInputs, PropertyValuationRequest } from '../src/operations/valuation-types.ts';
import { isFailure } from '../src/errors.ts';
import { seededRandom, type Random } from '../src/valuation/random.ts';
import {
  addressOfSale,
  openSampledMarket,
  percent,
  quantile,
  requestOf,
  sampleSales,
  type SampledMarket,
} from './plausibility/sampling.ts';

const { values: options } = parseArgs({
  options: {
    market: { type: 'string' },
    'as-of': { type: 'string' },
    homes: { type: 'string', default: '2000' },
    sets: { type: 'string', default: '500' },
  },
});
const asOf = parseDay(options['as-of'] ?? '');
const { market: marketId } = options;
if (!marketId || asOf === null) throw new Error('give --market ID and --as-of YYYY-MM-DD');

const SEARCH = { radiusMi: 25, lookbackMonths: null, numComps: 20 } as const;
const CHOSEN = 8;

await withStore((store) => measure(store, marketId, asOf));

async function measure(store: Parameters<typeof openSampledMarket>[0], id: string, day: Day): Promise<void> {
  const market = await openSampledMarket(store, id, day);
  if (market === null) throw new Error(`${id} has no sales`);
  const homes = sampleSales(market, PROPERTY_TYPES, Number(options.homes));
  const random = seededRandom(11);
  let [compared, equal, unsummed] = [0, 0, 0];
  const flagged = { lowest: 0, highest: 0, random: 0, sets: 0 };
  const previewMs: number[] = [];
  for (const [i, { row, home }] of homes.entries()) {
    const { lat, lon, type, attributes } = home;
    // By coordinates, the details given also choose the parcel.
    const address = addressOfSale(market.columns, row);
    const at = address ? { address } : { lat, lon };
    const full = { ...requestOf(day, at, attributes, type), search: SEARCH };
    const inputs = await inputsOf(market, full);
    if (inputs === null) continue;
    const whole = await market.deps.computeValue('property', inputs, 'id');
    const outcome = await hideAndCorrect(market, full, random);
    if (outcome !== null) {
      compared++;
      if (outcome.text === JSON.stringify(whole)) equal++;
      if (!outcome.isSummed) unsummed++;
    }
    const { items } = whole.comparables;
    if (i < Number(options.sets) && items.length === SEARCH.numComps) {
      flagged.sets++;
      const sorted = items.toSorted((a, b) => a.adjustedPrice - b.adjustedPrice);
      const sets = {
        lowest: sorted.slice(0, CHOSEN),
        highest: sorted.slice(-CHOSEN),
        random: items
          .map((item) => ({ item, key: random() }))
          .toSorted((a, b) => a.key - b.key)
          .slice(0, CHOSEN)
          .map(({ item }) => item),
      };
      for (const name of ['lowest', 'highest', 'random'] as const) {
        const pinned = sets[name].map(({ compId }) => compId);
        const start = performance.now();
        const changes = { ...NO_CHANGES, pinned, isFilled: false };
        const { valuation } = await market.deps.computeValue('property', { ...inputs, changes }, 'id');
        await market.deps.computeValue('property', inputs, 'id');
        previewMs.push(performance.now() - start);
        if (valuation.warnings.some(({ code }) => code === 'comparables_selected_by_price')) flagged[name]++;
      }
    }
    if (process.stderr.isTTY && i % 50 === 0) process.stderr.write(`\r${i} of ${homes.length} homes`);
  }
  const { sets } = flagged;
  const most = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / sets);
  console.log(`${id}, ${compared} homes, ${sets} with 20 comparables`);
  console.log(`hidden facts corrected give the same bytes: ${equal} of ${compared}; sums off: ${unsummed}`);
  console.log(`8 lowest flagged: ${percent(flagged.lowest / sets)} (target: 95% or more)`);
  console.log(`8 highest flagged: ${percent(flagged.highest / sets)} (target: 95% or more)`);
  console.log(`8 random flagged: ${percent(flagged.random / sets)} (target: ${percent(most)} or less)`);
  console.log(
    `preview, ms: p50 ${quantile(previewMs, 0.5).toFixed(0)}, p95 ${quantile(previewMs, 0.95).toFixed(0)}`,
  );
}

/** Null where the place cannot be valued. */
async function inputsOf(
  { deps }: SampledMarket,
  request: PropertyValuationRequest,
): Promise<PropertyInputs | null> {
  try {
    const located = await locate(deps, request.location, 'home', request.asOf);
    return await gatherInputsWithChanges(deps, located, request);
  } catch (error) {
    if (isFailure(error, 'outside_coverage', 'insufficient_data', 'address_not_found')) return null;
    throw error;
  }
}

/** Half of the known details but rooms and type are left out of the request, and given by a challenge. */
async function hideAndCorrect(market: SampledMarket, full: PropertyValuationRequest, random: Random) {
  const hidden: Partial<Record<keyof Attributes, number | null>> = {};
  const kept: Partial<Record<keyof Attributes, number | null>> = {};
  for (const attribute of ATTRIBUTES) {
    const isRoom = attribute === 'bedrooms' || attribute === 'bathrooms';
    (isRoom || random() < 0.5 ? kept : hidden)[attribute] = full.attributes[attribute];
  }
  const partial = await inputsOf(market, { ...full, attributes: attributesOf(kept) });
  if (partial === null) return null;
  const before = await market.deps.computeValue('property', partial, 'id');
  const facts = { propertyType: null, attributes: attributesOf(hidden) };
  const corrected = await changedInputs(
    market.deps,
    partial,
    { facts, changes: NO_CHANGES, appeal: {}, warnings: [] },
    full.search,
  );
  const { changes, ...value } = await market.deps.computeValue('property', corrected, 'id');
  const sum = changes?.split.reduce((total, { amount }) => total + amount, 0);
  const items = value.comparables.items.map(({ choice: _choice, ...item }) => item);
  const { search } = before.comparables;
  return {
    text: JSON.stringify({ valuation: value.valuation, comparables: { count: items.length, items, search } }),
    isSummed: sum === value.valuation.pointValue - before.valuation.pointValue,
  };
}
