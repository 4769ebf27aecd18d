import { dayOf, yearMonthOf, type Day } from '../../domain/day.ts';
import type { Attribute, Attributes, PropertyType } from '../../domain/property.ts';
import type { Random } from '../../valuation/random.ts';
import { between, chance, clamp, normal, streamOf, wholeBetween } from './dice.ts';
import type { SaleKind, SampleParcel, SampleSale } from './sample-county.ts';
import { conditionOn, DAYS_PER_YEAR, trueLogValue } from './true-value.ts';

/** Standard deviation of ln(price) around ln(true value) in an honest sale. */
export const MARKET_NOISE_SD: Readonly<Record<PropertyType, number>> = {
  houses: 0.055,
  townhomes: 0.045,
  condos: 0.045,
  small_multifamily: 0.07,
  multifamily: 0.08,
  mobile: 0.08,
};

/** Shares of all sales that are traps, as the test checks them. Bundles come on top: about four deals a year. */
export const TRAP_SHARES = {
  family: 0.025,
  foreclosure: 0.015,
  flip: 0.02,
  duplicate: 0.006,
  typo: 0.001,
} as const;
export const BUNDLES_A_YEAR = 4;

/** Chance that a home is sold in a year. Livelier than most towns, so that five years hold enough to learn from. */
const TURNOVER: Readonly<Record<PropertyType, number>> = {
  houses: 0.12,
  townhomes: 0.15,
  condos: 0.16,
  small_multifamily: 0.11,
  multifamily: 0.1,
  mobile: 0.12,
};

/** Sales are dealt out from here on, so that a later as-of date only adds to them. */
const FIRST_YEAR = 2010;
const YEARS_OF_SALES = 5;

type Deal = Omit<SampleSale, 'recordId' | 'recordedOn' | 'isDuplicate' | 'recorded' | 'isArmsLength'>;

/** Sales closed in the five years up to the day and recorded by then. */
export function drawSales(seed: number, parcels: readonly SampleParcel[], asOf: Day): SampleSale[] {
  const from = Math.round(asOf - YEARS_OF_SALES * DAYS_PER_YEAR);
  const single = parcels.flatMap((parcel) => dealsOf(streamOf(seed, `deals ${parcel.index}`), parcel, asOf));
  return [...single, ...bundles(seed, parcels, asOf)]
    .filter((deal) => deal.soldOn > from)
    .flatMap((deal) => record(seed, deal))
    .filter((sale) => sale.recordedOn <= asOf)
    .sort((a, b) => a.recordedOn - b.recordedOn || (a.recordId < b.recordId ? -1 : 1));
}

/** All deals of one home up to the day. A flip is two: bought worn and below value, sold renovated some months later. */
function dealsOf(random: Random, parcel: SampleParcel, until: Day): Deal[] {
  const deals: Deal[] = [];
  const built = dayOf(parcel.attributes.yearBuilt ?? 1970, 3, 1);
  let day = Math.max(dayOf(FIRST_YEAR, 1, 1), built);
  for (;;) {
    day += Math.ceil((-Math.log(1 - random()) / (TURNOVER[parcel.type] * SEASON_PEAK)) * DAYS_PER_YEAR);
    if (day > until) return deals;
    if (!chance(random, seasonShare(day))) continue;
    const kind = drawKind(random, parcel, day);
    deals.push(dealOf(random, parcel, day, kind));
    if (kind === 'flip_first_leg') {
      const resold = nextRenewal(parcel, day) + wholeBetween(random, 20, 60);
      if (resold <= until) deals.push(dealOf(random, parcel, resold, 'flip_second_leg'));
      day = resold;
    }
    // Nobody sells again within a year of buying, but for flips.
    day += wholeBetween(random, 300, 500);
  }
}

const SEASON_PEAK = 1.35;

/** Most deals close in June, fewest in December. */
function seasonShare(day: Day): number {
  const { month } = yearMonthOf(day);
  return (1 + 0.35 * Math.cos((2 * Math.PI * (month - 6)) / 12)) / SEASON_PEAK;
}

/** A worn home renovated within some months of a sale was bought by a flipper: about TRAP_SHARES.flip of all sales. */
function drawKind(random: Random, parcel: SampleParcel, day: Day): SaleKind {
  const draw = random();
  if (nextRenewal(parcel, day) - day < FLIP_WITHIN_DAYS) return 'flip_first_leg';
  if (draw < TRAP_SHARES.family) return 'family';
  if (draw < TRAP_SHARES.family + TRAP_SHARES.foreclosure) return 'foreclosure';
  if (draw > 1 - TRAP_SHARES.typo) return 'typo';
  return 'market';
}

const FLIP_WITHIN_DAYS = 200;

function nextRenewal(parcel: SampleParcel, day: Day): Day {
  return parcel.renewedOn.find((renewal) => renewal > day) ?? Infinity;
}

function dealOf(random: Random, parcel: SampleParcel, soldOn: Day, kind: SaleKind): Deal {
  const noise = MARKET_NOISE_SD[parcel.type] * clamp(normal(random), -3, 3);
  const logPrice = trueLogValue(parcel, soldOn) + noise + discount(random, kind);
  return { parcel, soldOn, kind, priceUsd: roundPrice(random, Math.exp(logPrice)) };
}

/** What a trap does to ln(price). */
function discount(random: Random, kind: SaleKind): number {
  if (kind === 'family') return Math.log(between(random, 0.25, 0.7));
  if (kind === 'foreclosure') return Math.log(between(random, 0.62, 0.82));
  if (kind === 'flip_first_leg') return Math.log(between(random, 0.8, 0.92));
  // A digit too many.
  if (kind === 'typo') return Math.log(10);
  return 0;
}

/** People round: to $500 or $1,000, and a third to $5,000. */
function roundPrice(random: Random, usd: number): number {
  const draw = random();
  const step = usd < 50_000 ? 100 : draw < 0.35 ? 5000 : draw < 0.8 ? 1000 : 500;
  return Math.round(usd / step) * step;
}

/** Three to six neighbouring rental homes sold in one deed, whose whole price stands on every one of them. */
function bundles(seed: number, parcels: readonly SampleParcel[], until: Day): Deal[] {
  const plexes = parcels.filter((parcel) => parcel.type === 'small_multifamily');
  const deals: Deal[] = [];
  for (let year = FIRST_YEAR; dayOf(year, 1, 1) <= until; year++) {
    const random = streamOf(seed, `bundles ${year}`);
    for (let deal = 0; deal < BUNDLES_A_YEAR; deal++) {
      const soldOn = dayOf(year, 1, wholeBetween(random, 1, 365));
      const count = wholeBetween(random, 3, 6);
      const first = wholeBetween(random, 0, plexes.length - count);
      const sold = plexes.slice(first, first + count);
      const worthUsd = sold.reduce((sum, parcel) => sum + Math.exp(trueLogValue(parcel, soldOn)), 0);
      const priceUsd = Math.round((worthUsd * between(random, 0.88, 1)) / 5000) * 5000;
      if (soldOn <= until)
        deals.push(...sold.map((parcel) => ({ parcel, soldOn, priceUsd, kind: 'bundle' as const })));
    }
  }
  return deals;
}

/** How the recorder writes it down: some weeks later, with gaps, sometimes twice. */
function record(seed: number, deal: Deal): SampleSale[] {
  const number = `${deal.parcel.index}-${deal.soldOn}${deal.kind === 'bundle' ? 'B' : ''}`;
  const random = streamOf(seed, `record ${number}`);
  const sale: SampleSale = {
    ...deal,
    recordId: `PCR-${number}`,
    recordedOn: deal.soldOn + wholeBetween(random, 3, 24),
    isDuplicate: false,
    isArmsLength: recordedArmsLength(random, deal.kind),
    recorded: recordedAttributes(random, deal.parcel, deal.soldOn),
  };
  if (!chance(random, TRAP_SHARES.duplicate)) return [sale];
  const again = { recordId: `${sale.recordId}R`, recordedOn: sale.recordedOn + wholeBetween(random, 0, 9) };
  return [sale, { ...sale, ...again, isDuplicate: true }];
}

/** Half of the family transfers and foreclosures are marked as such; most other deeds say nothing. */
function recordedArmsLength(random: Random, kind: SaleKind): boolean | null {
  if (kind === 'family' || kind === 'foreclosure') return chance(random, 0.5) ? false : null;
  return chance(random, 0.4) ? true : null;
}

/** What records most often lack, and the share of records with a gap at all. */
const GAPS: readonly Attribute[] = [
  'condition',
  'stories',
  'hasBasement',
  'hasCentralAir',
  'lotSizeSqft',
  'livingAreaSqft',
  'yearBuilt',
  'garageSpaces',
  'fireplaceCount',
  'bathrooms',
];
export const GAP_SHARE = 0.15;

/** The public record of a home on a day: condition to the nearest step, one to three gaps in every seventh record. */
export function recordedAttributes(random: Random, parcel: SampleParcel, day: Day): Attributes {
  const recorded: Record<Attribute, number | null> = {
    ...parcel.attributes,
    condition: Math.round(conditionOn(parcel, day)),
  };
  if (chance(random, GAP_SHARE))
    for (let gap = wholeBetween(random, 1, 3); gap > 0; gap--)
      recorded[GAPS[wholeBetween(random, 0, GAPS.length - 1)]] = null;
  return recorded;
}
