import { ATTRIBUTE_TABLE } from '../../domain/property-attributes.ts';
import { ATTRIBUTES, attributesOf, type Attribute } from '../../domain/property.ts';
import type { AttributeDefinition } from '../../domain/request-field.ts';
import type { Nearest } from '../../geo/point-index.ts';
import { decimalOf, featuresOfSale, type FeatureColumn } from '../columns/sale-columns.ts';
import { COMPARABLES } from '../comparables/comparables-constants.ts';
import { comparedValues, typeCode, type SalesData, type TypeSalesData } from '../comparables/sales-data.ts';
import { nearestEligible, selectBest } from '../comparables/select-comparables.ts';
import type { Home, ImputedFeature, ImputedSubject, Moment, SubjectInput } from '../subject.ts';

/** Imputation of unknown attributes from nearby homes (kNN donors). */
export const IMPUTATION = {
  /**
   * Number of donors. 8 listings, some from the building itself, do as well as 15 (sample county,
   * sizes unknown: 4.2 % with 8, 4.4 % with 15), and a request of 100 units takes half the time.
   */
  donors: { sales: 15, rents: 8 },
  /**
   * Nearest homes from which the most similar donors are selected. The 60 nearest listings can be
   * of three buildings. Sample county, sizes unknown, 5+ units: one listing per building of 60 left
   * 3 donors, 4.95 % MdAPE and 85.7 % coverage of the 90 % interval; six per building of 160 give
   * 4.5 % and 92.3 %.
   */
  candidates: { sales: 60, rents: 160 },
  /**
   * Times as many candidates for a unit of a rental building, whose size is compared with its building's average:
   * the 60 nearest condominiums can be of one tower of large ones. Milwaukee, units in buildings of 50 and more with
   * one or two bedrooms: of 24, the imputed size was above 1.8 times the average in 3, with this above 1.4 times.
   */
  unitFactor: 5,
  /** Attributes known for a smaller share of homes are not imputed; the model gets them as unknown. */
  knownShare: 0.5,
  /**
   * A stated attribute that is known of a smaller share of the type's sales is not used: what the model would pay
   * for it comes from other types. (Baths are known of 2% of Milwaukee's sales of 5 units and more; one bath per
   * unit lowered these by 7%.) Not with fewer sales than `rareSales`.
   */
  rareShare: 0.05,
  rareSales: 100,
  /** Factor on a donor's weight for each missing attribute that it does not have either. */
  unknownWorth: 0.25,
} as const;

/** Where each known attribute came from. Unknown ones have no entry. */
export type AttributeSources = { readonly [A in Attribute]?: 'request' | 'record' | 'default' };

/** A nearby home whose attributes replace unknown ones. */
interface Donor {
  readonly row: number;
  readonly weight: number;
}

const DEFINITIONS: readonly AttributeDefinition<Attribute>[] = ATTRIBUTE_TABLE;

/** Imputed as the mean of the donors' values. The others take the most common value. */
const AVERAGED: ReadonlySet<Attribute> = new Set(
  DEFINITIONS.filter(({ isAveraged }) => isAveraged).map(({ key }) => key),
);

const ALL = Int32Array.from(ATTRIBUTES.keys());

/** Shares of known attributes of a type without sales. */
const NO_SHARES = new Float64Array(ATTRIBUTES.length);

/**
 * Imputes what is unknown of a home: first fixed defaults, then the values of kNN donors, the most
 * similar of the nearest homes of the type. A variant takes all missing attributes from one donor,
 * so that it is a home that exists.
 *
 * Sales: no donor from the home's own parcel, and one per parcel. Listings: the home's own building counts
 * too, a few per building.
 */
export function imputeSubject(
  salesData: SalesData,
  home: Home,
  sources: AttributeSources,
  moment: Moment,
): ImputedSubject {
  const type = salesData.types[typeCode(home.type)];
  const rare = rareAttributes(type);
  const defaulted = withoutAttributes(withDefaults(home), rare);
  const knownShare = type?.knownShare ?? NO_SHARES;
  const missing = ATTRIBUTES.filter(
    (name, a) => defaulted.attributes[name] === null && knownShare[a] >= IMPUTATION.knownShare,
  );
  const features = salesData.columns.features.filter(({ name }) => home.features[name] === undefined);
  const isComplete = type === null || missing.length + features.length === 0;
  const donors = isComplete ? [] : findDonors(salesData, type, defaulted, missing, moment);
  const variants = mergeDuplicates(salesData, donors, missing, features).map(({ row, weight }) => ({
    home: withDonorValues(salesData, defaulted, missing, row),
    weight,
  }));
  const imputedFeatures = isComplete ? [] : features.map((feature) => typicalFeature(feature, donors));
  const imputed = representativeHome(salesData, defaulted, missing, donors, imputedFeatures);
  return {
    home: imputed,
    variants: variants.length > 0 ? variants : [{ home: defaulted, weight: 1 }],
    isImputed: variants.length > 0,
    inputs: ATTRIBUTES.map((attribute): SubjectInput => {
      const value = home.attributes[attribute] ?? imputed.attributes[attribute];
      if (home.attributes[attribute] !== null) {
        return { attribute, value, source: sources[attribute] ?? 'request', support: null };
      }
      if (!missing.includes(attribute)) return { attribute, value, source: 'default', support: null };
      const column = salesData.columns.attributes[attribute];
      const support = donors.filter((donor) => !Number.isNaN(column[donor.row])).length;
      return { attribute, value, source: 'comparables', support };
    }),
    imputedFeatures,
    unused: rare.filter((name) => home.attributes[name] !== null),
  };
}

/** Defaults of omitted attributes, without regard to the donors. */
function withDefaults(home: Home): Home {
  const { attributes, type } = home;
  // Buildings of five units and more range from 5 to hundreds, so donors do better than a default.
  const units = type === 'multifamily' ? null : type === 'small_multifamily' ? 2 : 1;
  const known: Partial<Record<Attribute, number | null>> = { ...attributes };
  known.totalUnits ??= units;
  for (const { key, defaultValue } of DEFINITIONS) known[key] ??= defaultValue;
  return { ...home, attributes: attributesOf(known) };
}

function rareAttributes(type: TypeSalesData | null): readonly Attribute[] {
  if (type === null || type.sales < IMPUTATION.rareSales) return [];
  return ATTRIBUTES.filter((_, a) => type.knownShare[a] < IMPUTATION.rareShare);
}

function withoutAttributes(home: Home, rare: readonly Attribute[]): Home {
  const attributes = { ...home.attributes };
  for (const attribute of rare) attributes[attribute] = null;
  return { ...home, attributes };
}

function findDonors(
  salesData: SalesData,
  type: TypeSalesData,
  home: Home,
  missing: readonly Attribute[],
  moment: Moment,
): Donor[] {
  const { columns } = salesData;
  const found = nearestEligible(salesData, type, home, moment, {
    k: IMPUTATION.candidates[columns.kind] * (home.typicalAreaSqft ? IMPUTATION.unitFactor : 1),
    soldFrom: -Infinity,
    maxMi: COMPARABLES.maxMi,
  });
  // A parcel is sold as one home, described by its newest sale; listings of a building are of
  // different units.
  const near = columns.kind === 'sales' ? newestOfParcels(found, columns.parcel) : found;
  const weights = donorWeights(salesData, type, home, missing, near);
  const best = selectBest(
    weights,
    IMPUTATION.donors[columns.kind],
    (a, b) => near.rows[a] < near.rows[b],
    atMostPerParcel(near.rows, columns.parcel, COMPARABLES.perParcel[columns.kind]),
  );
  const total = best.reduce((sum, i) => sum + weights[i], 0);
  return best.map((i) => ({ row: near.rows[i], weight: weights[i] / total }));
}

/** The nearest row of each parcel; of equally near ones the last. */
function newestOfParcels({ n, rows, distancesMi }: Nearest, parcel: Int32Array): Nearest {
  const order = Int32Array.from({ length: n }, (_, i) => i);
  order.sort((a, b) => distancesMi[a] - distancesMi[b] || rows[b] - rows[a]);
  const kept = order.filter(atMostPerParcel(rows, parcel, 1));
  return {
    n: kept.length,
    rows: kept.map((i) => rows[i]),
    distancesMi: Float64Array.from(kept, (i) => distancesMi[i]),
  };
}

/** A filter that accepts the first `most` positions of each parcel. */
function atMostPerParcel(rows: Int32Array, parcel: Int32Array, most: number): (position: number) => boolean {
  const taken = new Map<number, number>();
  return (position) => {
    const code = parcel[rows[position]];
    const before = taken.get(code) ?? 0;
    taken.set(code, before + 1);
    return before < most;
  };
}

/** Weight of each row: higher for nearer rows that are more similar in the known attributes. */
function donorWeights(
  { compared, columns }: SalesData,
  { attributeSpread, distanceScaleMi }: TypeSalesData,
  home: Home,
  missing: readonly Attribute[],
  near: Nearest,
): Float64Array {
  const { attributes, typicalAreaSqft = null } = home;
  const livingAreaSqft = attributes.livingAreaSqft ?? typicalAreaSqft;
  const subject = comparedValues({ ...home, attributes: { ...attributes, livingAreaSqft } });
  const known = ALL.filter((a) => attributeSpread[a] !== 0 && !Number.isNaN(subject[a]));
  const wanted = missing.map((attribute) => columns.attributes[attribute]);
  const weights = new Float64Array(near.n);
  for (let i = 0; i < near.n; i++) {
    const row = near.rows[i];
    const at = row * ATTRIBUTES.length;
    let cost = 1 + near.distancesMi[i] / distanceScaleMi;
    for (let t = 0; t < known.length; t++) {
      const a = known[t];
      const difference = (compared[at + a] - subject[a]) / attributeSpread[a];
      if (!Number.isNaN(difference)) cost += difference * difference;
    }
    weights[i] = 1 / cost;
    for (const column of wanted) if (Number.isNaN(column[row])) weights[i] *= IMPUTATION.unknownWorth;
  }
  return weights;
}

function withDonorValues(salesData: SalesData, home: Home, missing: readonly Attribute[], row: number): Home {
  const attributes: Record<Attribute, number | null> = { ...home.attributes };
  for (const attribute of missing) {
    const value = salesData.columns.attributes[attribute][row];
    attributes[attribute] = Number.isNaN(value) ? null : decimalOf(value);
  }
  return { ...home, attributes, features: withFeaturesOf(salesData, home, row) };
}

function withFeaturesOf({ columns }: SalesData, { features }: Home, row: number): Record<string, string> {
  return { ...features, ...featuresOfSale(columns, row), ...features };
}

/** Donors with the same values merged, so that the model is called less often. */
function mergeDuplicates(
  { columns }: SalesData,
  donors: readonly Donor[],
  missing: readonly Attribute[],
  features: readonly FeatureColumn[],
): Donor[] {
  const merged = new Map<string, { row: number; weight: number }>();
  for (const { row, weight } of donors) {
    const values = missing.map((attribute) => decimalOf(columns.attributes[attribute][row]));
    const key = [...values, ...features.map(({ codes }) => codes[row])].join();
    const same = merged.get(key);
    if (same) same.weight += weight;
    else merged.set(key, { row, weight });
  }
  return [...merged.values()];
}

/** One home that represents the variants, for the inputs and for the adjustment grid. */
function representativeHome(
  salesData: SalesData,
  home: Home,
  missing: readonly Attribute[],
  donors: readonly Donor[],
  imputedFeatures: readonly ImputedFeature[],
): Home {
  if (donors.length === 0) return home;
  const attributes: Record<Attribute, number | null> = { ...home.attributes };
  for (const attribute of missing) {
    attributes[attribute] = typicalValue(attribute, salesData.columns.attributes[attribute], donors);
  }
  const features: Record<string, string> = { ...home.features };
  for (const { name, value } of imputedFeatures) if (value !== null) features[name] = value;
  return { ...home, attributes, features };
}

/** The weighted mode of the donors' values. */
function typicalFeature({ name, levels, codes }: FeatureColumn, donors: readonly Donor[]): ImputedFeature {
  const known = donors.filter((donor) => codes[donor.row] >= 0);
  const code = weightedMode(known, (donor) => codes[donor.row]);
  return { name, value: code === null ? null : levels[code], support: known.length };
}

/** The value with the largest total weight; ties go to the smallest value. null without donors. */
function weightedMode(donors: readonly Donor[], valueOf: (donor: Donor) => number): number | null {
  const weightOf = new Map<number, number>();
  for (const donor of donors) {
    weightOf.set(valueOf(donor), (weightOf.get(valueOf(donor)) ?? 0) + donor.weight);
  }
  return [...weightOf].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? null;
}

function typicalValue(attribute: Attribute, column: Float32Array, donors: readonly Donor[]): number | null {
  const known = donors.filter((donor) => !Number.isNaN(column[donor.row]));
  if (known.length === 0) return null;
  if (AVERAGED.has(attribute)) {
    const weight = known.reduce((sum, donor) => sum + donor.weight, 0);
    return Math.round(known.reduce((sum, donor) => sum + donor.weight * column[donor.row], 0) / weight);
  }
  const most = weightedMode(known, (donor) => column[donor.row]);
  return most === null ? null : decimalOf(most);
}
