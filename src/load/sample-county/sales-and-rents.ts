import { dayOf, yearMonthOf, type Day } from '../../domain/day.ts';
import type { Attribute, Attributes } from '../../domain/property.ts';
import type { Random } from '../../valuation/random.ts';
import type { SampleParcel } from './homes.ts';
import { TYPE_TRAITS } from './property-types.ts';
import { between, chance, clamp, DAYS_PER_YEAR, normal, streamOf, wholeBetween } from './random-draws.ts';
import { conditionOn, locationEffect, marketEffect, trueValueUsd } from './true-value.ts';

/** Why a sale has its price. A valuation model must recognize or survive all kinds but 'market' and 'flip_resale'. */
type SaleKind = 'market' | 'family' | 'foreclosure' | 'flip_purchase' | 'flip_resale' | 'typo';

export type SampleSale = ReturnType<typeof record>[number];
type Deal = ReturnType<typeof dealOf>;

/** Shares of all sales. Flips follow from renovations. */
export const SHARE_OF_KIND = { family: 0.025, foreclosure: 0.015, duplicate: 0.006, typo: 0.001 } as const;

/** Sales are drawn from this year on, so that a later as-of date only adds to them. */
const FIRST_YEAR = 2010;
const YEARS_OF_SALES = 5;

/** Sales closed in the five years before the as-of date and recorded by then. */
export function drawSales(seed: number, parcels: readonly SampleParcel[], asOf: Day): SampleSale[] {
  const from = Math.round(asOf - YEARS_OF_SALES * DAYS_PER_YEAR);
  return parcels
    .flatMap((parcel) => dealsOf(streamOf(seed, `sales ${parcel.index}`), parcel, asOf))
    .filter((deal) => deal.soldOn > from)
    .flatMap((deal) => record(seed, deal))
    .filter((sale) => sale.recordedOn <= asOf)
    .sort((a, b) => a.recordedOn - b.recordedOn || (a.recordId < b.recordId ? -1 : 1));
}

/** All sales of one home. A flip is two: bought worn and below value, sold renovated some months later. */
function dealsOf(random: Random, parcel: SampleParcel, until: Day): Deal[] {
  const deals: Deal[] = [];
  const rate = TYPE_TRAITS[parcel.type].turnover * SEASON_PEAK;
  let day = Math.max(dayOf(FIRST_YEAR, 1, 1), dayOf(parcel.attributes.yearBuilt ?? 1970, 3, 1));
  for (;;) {
    day += Math.ceil((-Math.log(1 - random()) / rate) * DAYS_PER_YEAR);
    if (day > until) return deals;
    if (!chance(random, seasonShare(day))) continue;
    const renewal = parcel.renewedOn.find((renewedOn) => renewedOn > day) ?? Infinity;
    const kind = drawKind(random, renewal - day);
    deals.push(dealOf(random, parcel, day, kind));
    if (kind === 'flip_purchase') {
      day = renewal + wholeBetween(random, 20, 60);
      if (day <= until) deals.push(dealOf(random, parcel, day, 'flip_resale'));
    }
    // Nobody sells again within ten months of buying, except flippers.
    day += wholeBetween(random, 300, 500);
  }
}

const SEASON_PEAK = 1.35;

/** Most sales close in June, the fewest in December. */
function seasonShare(day: Day): number {
  return (1 + 0.35 * Math.cos((2 * Math.PI * (yearMonthOf(day).month - 6)) / 12)) / SEASON_PEAK;
}

/** An owner who renovates within 200 days of buying is a flipper: about 2% of all sales. */
function drawKind(random: Random, daysToRenewal: number): SaleKind {
  const draw = random();
  if (daysToRenewal < 200) return 'flip_purchase';
  if (draw < SHARE_OF_KIND.family) return 'family';
  if (draw < SHARE_OF_KIND.family + SHARE_OF_KIND.foreclosure) return 'foreclosure';
  return draw > 1 - SHARE_OF_KIND.typo ? 'typo' : 'market';
}

function dealOf(random: Random, parcel: SampleParcel, soldOn: Day, kind: SaleKind) {
  const noise = TYPE_TRAITS[parcel.type].noiseSd * clamp(normal(random), -3, 3);
  const usd = trueValueUsd(parcel, soldOn) * Math.exp(noise) * priceShare(random, kind);
  // People round to $500 or $1,000, and a third to $5,000.
  const draw = random();
  const step = usd < 50_000 ? 100 : draw < 0.35 ? 5000 : draw < 0.8 ? 1000 : 500;
  return { parcel, soldOn, kind, priceUsd: Math.round(usd / step) * step };
}

function priceShare(random: Random, kind: SaleKind): number {
  if (kind === 'family') return between(random, 0.25, 0.7);
  if (kind === 'foreclosure') return between(random, 0.62, 0.82);
  if (kind === 'flip_purchase') return between(random, 0.8, 0.92);
  return kind === 'typo' ? 10 : 1;
}

/** The public record of a sale: some weeks later, with gaps, sometimes twice. */
function record(seed: number, deal: Deal) {
  const { kind, parcel, soldOn } = deal;
  const number = `${parcel.index}-${soldOn}`;
  const random = streamOf(seed, `record ${number}`);
  const isDistressed = kind === 'family' || kind === 'foreclosure';
  const sale = {
    ...deal,
    recordId: `PCR-${number}`,
    recordedOn: soldOn + wholeBetween(random, 3, 24),
    /** Whether it is the same deed, recorded again under another id. */
    isDuplicate: false,
    // Null if the record does not say. Half of the family transfers and foreclosures are marked. Most other deeds say nothing.
    isArmsLength: chance(random, isDistressed ? 0.5 : 0.4) ? !isDistressed : null,
    recorded: recordedAttributes(random, parcel, soldOn),
  };
  if (!chance(random, SHARE_OF_KIND.duplicate)) return [sale];
  const again = { recordId: `${sale.recordId}R`, recordedOn: sale.recordedOn + wholeBetween(random, 0, 9) };
  return [sale, { ...sale, ...again, isDuplicate: true }];
}

/** The attributes that records most often lack, and the share of records with a gap. */
// prettier-ignore
const GAPS: readonly Attribute[] = [
  'condition', 'stories', 'hasBasement', 'hasCentralAir', 'lotSizeSqft', 'livingAreaSqft', 'yearBuilt', 'bathrooms',
];
const GAP_SHARE = 0.15;

/** The public record of a home on a day: condition to the nearest step, one to three gaps in every seventh record. */
export function recordedAttributes(random: Random, parcel: SampleParcel, day: Day): Attributes {
  const recorded: Record<Attribute, number | null> = {
    ...parcel.attributes,
    condition: Math.round(conditionOn(parcel, day)),
  };
  if (!chance(random, GAP_SHARE)) return recorded;
  for (let gap = wholeBetween(random, 1, 3); gap > 0; gap--) {
    recorded[GAPS[wholeBetween(random, 0, GAPS.length - 1)]] = null;
  }
  return recorded;
}

/** One unit that is or could be rented: a whole home (`unit` is ''), or an apartment of a building. */
export type RentUnit = ReturnType<typeof drawUnit>;
export type SampleRent = ReturnType<typeof listingsOf>[number];

/** Standard deviation of ln(asking rent) around ln(true rent). */
export const RENT_NOISE_SD = 0.05;

/** The true monthly rent. Rents follow location at 0.6 and the market at 0.8 of the strength of values. */
export function trueMonthlyRentUsd(parcel: SampleParcel, unit: RentUnit, day: Day): number {
  return (
    1180 *
    Math.exp(
      0.5 * Math.log(unit.sizeSqft / 800) +
        0.07 * (unit.bedrooms - 1.5) +
        0.05 * (unit.bathrooms - 1) +
        0.09 * Number(unit.isFurnished) +
        0.05 * Number(unit.hasLaundry) +
        0.04 * Number(unit.hasParking) +
        0.03 * Number(unit.hasCentralAir) +
        (parcel.type === 'houses' ? 0.08 : 0) +
        0.03 * (conditionOn(parcel, day) - 3) +
        0.6 * locationEffect(parcel.point, day) +
        0.8 * marketEffect(day) +
        0.5 * parcel.unseenQuality,
    )
  );
}

const YEARS_OF_RENTS = 3;

/** Listings first seen in the three years before the as-of date. */
export function drawRents(seed: number, parcels: readonly SampleParcel[], asOf: Day): SampleRent[] {
  const from = Math.round(asOf - YEARS_OF_RENTS * DAYS_PER_YEAR);
  return parcels
    .flatMap((parcel) => {
      const { isRented, units } = unitsOf(seed, parcel);
      if (!isRented) return [];
      return units.flatMap((unit) =>
        listingsOf(streamOf(seed, `rents ${parcel.index} ${unit.unit}`), parcel, unit, asOf),
      );
    })
    .filter((rent) => rent.listedOn > from)
    .sort((a, b) => a.listedOn - b.listedOn || (a.recordId < b.recordId ? -1 : 1));
}

/** The units of a parcel, and whether they are rented out. */
export function unitsOf(seed: number, parcel: SampleParcel): { isRented: boolean; units: RentUnit[] } {
  const random = streamOf(seed, `rents ${parcel.index}`);
  const isRented = chance(random, TYPE_TRAITS[parcel.type].rented);
  return {
    isRented,
    units: unitNames(parcel).map((name, _, all) => drawUnit(random, parcel, name, all.length)),
  };
}

/** Unit names: A, B, … in small buildings, 1, 2, … in large ones, none for a whole home. */
export function unitNames({ attributes, type }: SampleParcel): string[] {
  const units = attributes.totalUnits ?? 1;
  if (type === 'small_multifamily') return Array.from('ABCD').slice(0, units);
  return type === 'multifamily' ? Array.from({ length: units }, (_, at) => String(at + 1)) : [''];
}

/** One of `count` equal shares of the parcel, with some variation in size. */
function drawUnit(random: Random, { attributes }: SampleParcel, unit: string, count: number) {
  const share = count === 1 ? 1 : clamp(1 + 0.15 * normal(random), 0.65, 1.4);
  const bedrooms = Math.round(((attributes.bedrooms ?? 1) / count) * share);
  const parking = ((attributes.garageSpaces ?? 0) + (attributes.otherSpaces ?? 0)) / count;
  return {
    unit,
    bedrooms,
    bathrooms: count === 1 ? (attributes.bathrooms ?? 1) : bedrooms > 2 ? 1.5 : 1,
    sizeSqft: Math.round((((attributes.livingAreaSqft ?? 800) / count) * share) / 10) * 10,
    isFurnished: chance(random, 0.06),
    hasLaundry: attributes.hasLaundry === 1,
    hasParking: chance(random, clamp(parking, 0.1, 0.95)),
    hasCentralAir: attributes.hasCentralAir === 1,
  };
}

/** A unit is advertised for some weeks about every second year. */
function listingsOf(random: Random, parcel: SampleParcel, unit: RentUnit, until: Day) {
  const listings = [];
  let day = dayOf(Math.max(2010, parcel.attributes.yearBuilt ?? 0), 1, 1);
  for (;;) {
    day += Math.ceil((0.6 - 1.5 * Math.log(1 - random())) * DAYS_PER_YEAR);
    if (day > until) return listings;
    const askingUsd = trueMonthlyRentUsd(parcel, unit, day) * Math.exp(RENT_NOISE_SD * normal(random));
    listings.push({
      ...unit,
      parcel,
      recordId: `PCL-${parcel.index}${unit.unit}-${day}`,
      listedOn: day,
      lastSeenOn: Math.min(until, day + wholeBetween(random, 4, 45)),
      rentUsd: Math.round(askingUsd / 5) * 5,
      sizeSqft: chance(random, 0.2) ? null : unit.sizeSqft,
    });
  }
}
