import type { Day } from '../domain/day.ts';
import { ATTRIBUTES, PROPERTY_TYPES, type Attribute } from '../domain/property.ts';
import { asOfRows, type SaleColumns } from './columns/sale-columns.ts';
import { IMPUTATION, type AttributeSources } from './imputation/impute-subject.ts';
import type { Contradiction, Home } from './subject.ts';

/** What is too unusual to be right, measured on the market's own training sales. */
const PLAUSIBILITY = {
  /** Share of the sales of a type beyond each bound, and a margin on top: ln of (1 + value). */
  tail: 0.001,
  logMargin: Math.log(1.25),
  /** Fewest sales that show a plausible range. */
  sales: 30,
  /**
   * A stated figure more than this many times the recorded one, or its inverse; counts may differ by two anyway.
   * The area of one half of a duplex is half of the recorded one. Of 10,500 resales in Milwaukee, the recorded
   * area differs by this much in 0.4%, and the year of construction by more than 25 years in 0.2%.
   */
  areaFactor: 1.75,
  countFactor: 2,
  recordCount: 2,
  recordYears: 25,
  /** Error that each implausible figure may hide, ln USD, added in squares. */
  sd: 0.35,
} as const;

/** Figures whose range is checked. Of the others, the model's own limits decide. */
const MEASURED: readonly Attribute[] = [
  'totalUnits',
  'bedrooms',
  'bathrooms',
  'livingAreaSqft',
  'lotSizeSqft',
  'garageSpaces',
  'fireplaceCount',
];

/** Figures that must fit each other: the ratio of 1 + each. */
const PAIRS: readonly (readonly [Attribute, Attribute])[] = [
  ['bedrooms', 'livingAreaSqft'],
  ['bathrooms', 'livingAreaSqft'],
  ['bathrooms', 'bedrooms'],
  ['totalUnits', 'livingAreaSqft'],
];

const AREAS: ReadonlySet<Attribute> = new Set(['livingAreaSqft', 'lotSizeSqft']);
const COMPARED_WITH_RECORD: readonly Attribute[] = [
  'bedrooms',
  'bathrooms',
  'livingAreaSqft',
  'lotSizeSqft',
  'yearBuilt',
];

/** A figure of the request that is probably wrong, with the reason. */
export interface ImplausibleInput {
  readonly attribute: Attribute;
  readonly reason: (nameOf: (attribute: Attribute) => string) => string;
}

interface Range {
  readonly least: number;
  readonly most: number;
}

/** The ranges of attributes in the training sales of a model. */
interface TrainingRanges {
  /** An attribute that no sale has is absent. */
  readonly attributes: ReadonlyMap<Attribute, Range>;
  readonly types: ReadonlySet<number>;
  /** By type code: plausible ln of (1 + value), and of the ratios of PAIRS. */
  readonly plausible: readonly PlausibleRanges[];
}

interface PlausibleRanges {
  /** Attributes that hardly any sale has: they change no value, and the few that are known show no range. */
  readonly unused: ReadonlySet<Attribute>;
  readonly single: readonly (Range | null)[];
  readonly pairs: readonly (Range | null)[];
}

/** Columns are replaced with every import. Models of several days share them. */
const remembered = new WeakMap<SaleColumns, Map<Day, TrainingRanges>>();

export function trainingRangesOf(columns: SaleColumns, trainedOn: Day): TrainingRanges {
  let ofColumns = remembered.get(columns);
  if (!ofColumns) remembered.set(columns, (ofColumns = new Map()));
  let ranges = ofColumns.get(trainedOn);
  if (!ranges) ofColumns.set(trainedOn, (ranges = readTrainingRanges(columns, asOfRows(columns, trainedOn))));
  return ranges;
}

/** Takes about 50 ms for 50,000 sales, once for each model. */
function readTrainingRanges(columns: SaleColumns, rows: Int32Array): TrainingRanges {
  const attributes = new Map<Attribute, Range>();
  for (const attribute of ATTRIBUTES) {
    const values = columns.attributes[attribute];
    let [least, most] = [Infinity, -Infinity];
    for (const row of rows) {
      if (values[row] < least) least = values[row];
      if (values[row] > most) most = values[row];
    }
    if (least <= most) attributes.set(attribute, { least, most });
  }
  const ofAll = plausibleRanges(columns, rows);
  return {
    attributes,
    types: new Set(Array.from(rows, (row) => columns.type[row])),
    plausible: PROPERTY_TYPES.map((_, code) => {
      const own = rows.filter((row) => columns.type[row] === code);
      // A type without sales is compared with all homes. A few sales show no range, and other types' may not fit.
      return own.length === 0 ? ofAll : plausibleRanges(columns, own);
    }),
  };
}

function plausibleRanges({ attributes }: SaleColumns, rows: Int32Array): PlausibleRanges {
  const rangeOf = (valueAt: (row: number) => number): Range | null => {
    const logs = Float64Array.from(rows, valueAt).filter(Number.isFinite).sort();
    if (logs.length < PLAUSIBILITY.sales) return null;
    const beyond = Math.floor(PLAUSIBILITY.tail * logs.length);
    const { logMargin } = PLAUSIBILITY;
    return { least: logs[beyond] - logMargin, most: logs[logs.length - 1 - beyond] + logMargin };
  };
  const isUnused = (name: Attribute): boolean => {
    const known = rows.filter((row) => Number.isFinite(attributes[name][row])).length;
    return rows.length >= IMPUTATION.rareSales && known < IMPUTATION.rareShare * rows.length;
  };
  return {
    unused: new Set(ATTRIBUTES.filter(isUnused)),
    single: MEASURED.map((name) => rangeOf((row) => Math.log1p(attributes[name][row]))),
    pairs: PAIRS.map(([a, b]) =>
      rangeOf((row) => Math.log1p(attributes[a][row]) - Math.log1p(attributes[b][row])),
    ),
  };
}

/**
 * Figures of the request that are outside of what the market's training sales have, alone or together, or that
 * contradict the record. One for each cause: a figure named once is not named again. Depends only on the sales of
 * the model's training day, so later sales do not change a response.
 */
export function implausibleInputs(
  columns: SaleColumns,
  trainedOn: Day,
  { type, attributes, contradictions = [] }: Home,
  sources: AttributeSources,
): ImplausibleInput[] {
  const ranges = trainingRangesOf(columns, trainedOn);
  const plausible = ranges.plausible[PROPERTY_TYPES.indexOf(type)];
  const found = contradictions.map(({ attribute, stated, recorded }): ImplausibleInput => ({
    attribute,
    reason: () => `${stated} is far from the ${recorded} of the public record`,
  }));
  const named = new Set(found.map(({ attribute }) => attribute));
  const isStated = (attribute: Attribute) =>
    sources[attribute] === 'request' && !plausible.unused.has(attribute);
  for (const attribute of ATTRIBUTES) {
    const value = attributes[attribute];
    const seen = ranges.attributes.get(attribute);
    if (value === null || !seen || seen.least === seen.most || !isStated(attribute) || named.has(attribute))
      continue;
    const at = MEASURED.indexOf(attribute);
    const usual = at < 0 ? null : plausible.single[at];
    const log = Math.log1p(value);
    const isMore = value > seen.most || (usual !== null && log > usual.most);
    const isLess = value < seen.least || (usual !== null && log < usual.least);
    if (!isMore && !isLess) continue;
    named.add(attribute);
    const than = isMore ? 'more' : 'less';
    found.push({ attribute, reason: () => `${value} is ${than} than similar homes sold here have` });
  }
  PAIRS.forEach(([a, b], at) => {
    const range = plausible.pairs[at];
    const [left, right] = [attributes[a], attributes[b]];
    if (range === null || left === null || right === null || named.has(a) || named.has(b)) return;
    if ((!isStated(a) && !isStated(b)) || plausible.unused.has(a) || plausible.unused.has(b)) return;
    const log = Math.log1p(left) - Math.log1p(right);
    if (log >= range.least && log <= range.most) return;
    named.add(a).add(b);
    const amount = log > range.most ? 'many' : 'few';
    const other = AREAS.has(b) ? `${right} sqft` : `${right}`;
    found.push({
      attribute: isStated(a) ? a : b,
      reason: (nameOf) => `${left} is very ${amount} for a ${nameOf(b)} of ${other}`,
    });
  });
  return found;
}

/** Error that implausible figures may hide, ln USD. */
export function implausibleSpread(inputs: readonly ImplausibleInput[]): number {
  return PLAUSIBILITY.sd * Math.sqrt(inputs.length);
}

/** The home with recorded figures instead of implausible ones; without a record, they are unknown. */
export function withoutImplausible(home: Home, inputs: readonly ImplausibleInput[]): Home {
  const { contradictions = [] } = home;
  const attributes: Record<Attribute, number | null> = { ...home.attributes };
  for (const { attribute } of inputs) attributes[attribute] = null;
  for (const { attribute, recorded } of contradictions) attributes[attribute] = recorded;
  return { ...home, attributes };
}

/** Stated figures that no remodeling explains: another home, another unit of measure or a typing error. */
export function contradictionsOf(
  stated: Partial<Record<Attribute, number | null>>,
  record: Readonly<Record<Attribute, number | null>>,
): Contradiction[] {
  return COMPARED_WITH_RECORD.flatMap((attribute) => {
    const [given, recorded] = [stated[attribute] ?? null, record[attribute]];
    if (given === null || recorded === null || given <= 0 || recorded <= 0) return [];
    return isFar(attribute, given, recorded) ? [{ attribute, stated: given, recorded }] : [];
  });
}

function isFar(attribute: Attribute, given: number, recorded: number): boolean {
  const { areaFactor, countFactor, recordCount, recordYears } = PLAUSIBILITY;
  const difference = Math.abs(given - recorded);
  const factor = Math.max(given / recorded, recorded / given);
  if (attribute === 'yearBuilt') return difference > recordYears;
  return AREAS.has(attribute) ? factor > areaFactor : factor > countFactor && difference > recordCount;
}
