import type { PostalAddress } from '../../domain/address.ts';
import { dayOf, type Day } from '../../domain/day.ts';
import { attributesOf, type Attribute, type Attributes, type PropertyType } from '../../domain/property.ts';
import type { Random } from '../../valuation/random.ts';
import type { Lot } from './lots.ts';
import { NEIGHBORHOODS, PLACE, type Neighborhood } from './plan.ts';
import {
  between,
  chance,
  clamp,
  normal,
  pickByShare,
  streamOf,
  wholeBetween,
  DAYS_PER_YEAR,
} from './random-draws.ts';
import { TYPE_TRAITS } from './property-types.ts';
import { toLatLon, type PlanePoint } from './terrain.ts';

/** One home of the generated town, or a building that is sold whole. Some fields are in none of the files. */
export interface SampleParcel {
  readonly index: number;
  readonly parcelId: string;
  readonly address: PostalAddress;
  readonly lot: Lot;
  readonly point: PlanePoint;
  readonly lat: number;
  readonly lon: number;
  readonly type: PropertyType;
  readonly blockId: number;
  /** True attributes. `condition` is null because it changes with time: see `conditionOn`. */
  readonly attributes: Attributes;
  /** Of condominiums; 1 elsewhere. */
  readonly floor: number;
  /** What buyers see but no record states, as a part of ln(value). */
  readonly unseenQuality: number;
  /** How fast the home wears; 1 on average. */
  readonly wear: number;
  /** When it was built and renovated, first to last. Some days are after the county's as-of date. */
  readonly renewedOn: readonly Day[];
}

/** Standard deviations of the unseen quality: of the home, and of its condominium block, complex or park. */
export const UNSEEN_QUALITY_SD = 0.035;
const GROUP_QUALITY_SD = 0.05;

interface NewHome {
  readonly lot: Lot;
  readonly type: PropertyType;
  readonly attributes: Attributes;
  readonly unit: string;
  readonly floor: number;
  readonly groupQuality: number;
}

/** Every home on the lots. It depends on the seed alone, so the town is the same on every as-of date. */
export function buildParcels(seed: number, lots: readonly Lot[]): SampleParcel[] {
  const byBlock = Map.groupBy(lots, ({ block }) => block);
  const homes = [...byBlock.values()].flatMap((ofBlock) => homesOnBlock(seed, ofBlock));
  return homes.map((home, index) => finishParcel(streamOf(seed, `home ${index}`), home, index));
}

function homesOnBlock(seed: number, lots: readonly Lot[]): NewHome[] {
  const { id, use, hood } = lots[0].block;
  const random = streamOf(seed, `homes ${id}`);
  const { multifamilyShare } = NEIGHBORHOODS[hood];
  const quality = GROUP_QUALITY_SD * normal(random);
  const homeOn = (lot: Lot, type: PropertyType, groupQuality: number): NewHome => {
    const attributes = drawAttributes(random, type, NEIGHBORHOODS[hood], lot.widthFt * lot.depthFt);
    return { lot, type, attributes, unit: '', floor: 1, groupQuality };
  };
  if (use === 'apartments') return lots.map((lot) => homeOn(lot, 'multifamily', 0));
  if (use === 'mobile') return lots.map((lot) => homeOn(lot, 'mobile', quality));
  if (use === 'townhomes')
    return lots
      .map((lot) => homeOn(lot, 'townhomes', quality))
      .map((home, _, homes) => sharing(homes[0], home));
  if (use === 'condos')
    return lots.flatMap((lot) => condoBuilding(random, () => homeOn(lot, 'condos', quality)));
  return lots.map((lot) => homeOn(lot, chance(random, multifamilyShare) ? 'small_multifamily' : 'houses', 0));
}

/** Units are numbered by floor: 101, 102, …, 201, 202, … */
function condoBuilding(random: Random, drawHome: () => NewHome): NewHome[] {
  const perFloor = wholeBetween(random, 3, 5);
  const first = drawHome();
  return Array.from({ length: (first.attributes.stories ?? 2) * perFloor }, (_, at) => {
    const floor = Math.floor(at / perFloor) + 1;
    return { ...sharing(first, drawHome()), unit: String(100 * floor + (at % perFloor) + 1), floor };
  });
}

/** What homes of one building or complex share. */
const SHARED = ['yearBuilt', 'stories', 'hasPool', 'hasCentralAir', 'hasLaundry', 'garageSpaces'] as const;

function sharing({ attributes: shared }: NewHome, home: NewHome): NewHome {
  const attributes: Record<Attribute, number | null> = { ...home.attributes };
  for (const attribute of SHARED) attributes[attribute] = shared[attribute];
  return { ...home, attributes };
}

function finishParcel(random: Random, home: NewHome, index: number): SampleParcel {
  const { lot, unit, type, attributes, floor } = home;
  const hood = NEIGHBORHOODS[lot.block.hood];
  const street = `${lot.houseNumber} ${lot.streetName}${unit === '' ? '' : ` #${unit}`}`;
  return {
    index,
    parcelId: `PC-${String(lot.block.id).padStart(3, '0')}-${String(index).padStart(5, '0')}`,
    address: { street, city: PLACE.city, stateCode: PLACE.stateCode, postalCode: hood.postalCode },
    lot,
    point: lot.point,
    ...toLatLon(lot.point),
    type,
    blockId: lot.block.id,
    attributes,
    floor,
    unseenQuality: UNSEEN_QUALITY_SD * clamp(normal(random), -2.5, 2.5) + home.groupQuality,
    wear: clamp(1 + 0.3 * normal(random), 0.4, 1.8),
    renewedOn: drawRenewals(random, attributes.yearBuilt ?? 1970),
  };
}

/** The day built, then a renovation about every 27 years, never within 8. Far beyond any as-of date. */
function drawRenewals(random: Random, yearBuilt: number): Day[] {
  const days = [dayOf(yearBuilt, 1, 1)];
  for (;;) {
    const years = 8 - 19 * Math.log(1 - random());
    const next = Math.round(days[days.length - 1] + years * DAYS_PER_YEAR);
    if (next > dayOf(2075, 1, 1)) return days;
    days.push(next);
  }
}

/** Old homes have basements and porches; new ones have central air and large garages. */
function eraShares(year: number) {
  return {
    basement: year < 1958 ? 0.82 : year < 1985 ? 0.55 : 0.38,
    air: year < 1958 ? 0.42 : year < 1980 ? 0.68 : 0.96,
    porch: year < 1940 ? 0.78 : 0.35,
    deck: year > 1970 ? 0.55 : 0.28,
    garages: year < 1930 ? 0.7 : year < 1958 ? 1.1 : year < 1978 ? 1.6 : 2.1,
  };
}

/** All attributes of a home, or of a building sold whole: its bedrooms, bathrooms and area are totals. */
function drawAttributes(random: Random, type: PropertyType, hood: Neighborhood, lotSqft: number): Attributes {
  const traits = TYPE_TRAITS[type];
  const yearBuilt = drawYearBuilt(random, type, hood);
  const era = eraShares(yearBuilt);
  const units = drawUnits(random, type);
  const isHouse = type === 'houses';
  const stories = drawStories(random, type, yearBuilt, units);
  const wealth = type === 'condos' || type === 'townhomes' ? 1 + 0.45 * Math.max(0, hood.level) : 1;
  const tall = isHouse ? 1 + 0.18 * (stories - 1.4) : 1;
  const wanted =
    (isHouse ? hood.houseSqft : traits.sqft) * wealth * tall * Math.exp(traits.spread * normal(random));
  const unitSqft = clamp(wanted, 400, isHouse ? 0.62 * lotSqft : 3000);
  const rooms = unitSqft / traits.sqftPerBedroom + (units < 5 ? 0.4 : 0.1) * normal(random);
  // Apartments of one building differ, so that their average is not a whole number.
  const bedrooms = clamp(units < 5 ? Math.round(rooms) : rooms, 1, 6);
  const bathrooms = clamp(toHalf(0.4 + unitSqft / 900 + 0.25 * normal(random)), 1, bedrooms + 1);
  const yes = (share: number): number => (chance(random, share) ? 1 : 0);
  const garages = isHouse ? era.garages + (unitSqft - 1700) / 1500 : units > 1 ? 0.9 : 0.5;
  return attributesOf({
    totalUnits: units,
    bedrooms: Math.round(units * bedrooms),
    bathrooms: Math.round(2 * units * bathrooms) / 2,
    livingAreaSqft: tens(units * unitSqft),
    lotSizeSqft: type === 'condos' || type === 'mobile' ? null : tens(lotSqft * between(random, 0.94, 1.06)),
    yearBuilt,
    stories,
    hasPool: type === 'mobile' ? 0 : yes(hood.level > 0.2 ? 0.13 : 0.025),
    hasBasement: yes(era.basement * traits.basement),
    hasCentralAir: yes(era.air * traits.air),
    hasPorch: yes(era.porch * traits.porch),
    hasDeck: yes(era.deck),
    hasLaundry: yes(traits.laundry),
    hasAdu: isHouse ? yes(0.025) : 0,
    fireplaceCount: units > 1 ? 0 : clamp(Math.floor(unitSqft / 1900 + 0.6 * random()), 0, 3),
    garageSpaces: clamp(Math.round(garages + 0.55 * normal(random)), 0, 4),
    otherSpaces: wholeBetween(random, 0, Math.min(units + 1, 12)),
  });
}

const toHalf = (value: number): number => Math.round(value * 2) / 2;
const tens = (value: number): number => Math.round(value / 10) * 10;

/** Houses follow the neighborhood's era, and one in 15 is later infill. Other types are spread over the decades. */
function drawYearBuilt(random: Random, type: PropertyType, hood: Neighborhood): number {
  if (type !== 'houses' && type !== 'small_multifamily' && chance(random, 0.6)) {
    return wholeBetween(random, 1965, 2021);
  }
  const infillFrom = Math.max(hood.builtTo + 10, 1985);
  if (infillFrom < 2016 && chance(random, 1 / 15)) return wholeBetween(random, infillFrom, 2023);
  const { builtFrom, builtTo } = hood;
  const yearBuilt = Math.round(builtFrom + ((random() + random()) / 2) * (builtTo - builtFrom));
  return type === 'mobile' ? Math.max(yearBuilt, 1968) : yearBuilt;
}

function drawUnits(random: Random, type: PropertyType): number {
  if (type === 'small_multifamily') return pickByShare(random, [[2, 0.68] as const, [3, 0.17], [4, 1]]);
  if (type === 'multifamily') return clamp(Math.round(5 - 9 * Math.log(1 - random())), 5, 48);
  return 1;
}

function drawStories(random: Random, type: PropertyType, year: number, units: number): number {
  if (type === 'mobile') return 1;
  if (type === 'condos') return wholeBetween(random, 2, 4);
  if (type === 'multifamily') return clamp(Math.ceil(units / 10) + 1, 2, 5);
  if (type !== 'houses') return pickByShare(random, [[2, 0.75] as const, [3, 1]]);
  if (year < 1946) return pickByShare(random, [[1.5, 0.3] as const, [2, 0.4], [1, 1]]);
  return pickByShare(random, [[2, year < 1976 ? 0.18 : 0.62] as const, [1, 1]]);
}
