import { collectDerived, type Derive } from '../array-archive.ts';
import type { Day } from '../domain/day.ts';
import { ATTRIBUTES, PROPERTY_TYPES, type Attribute, type Attributes } from '../domain/property.ts';
import { asOfRows, type SaleColumns } from './columns/sale-columns.ts';
import { IMPUTATION, type AttributeSources } from './imputation/impute-subject.ts';
import { selectInPlace } from './order-statistics.ts';
import type { Home } from './subject.ts';

/** What is too unusual to be right, measured on the market's own training sales. */
const PLAUSIBILITY = {
  /** Share of the sales of a type beyond each bound, and a margin on top: ln of (1 + value). */
  tail: 0.001,
  logMargin: Math.log(1.25),
  /** Fewest sales that show a plausible range. */
  sales: 30,
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

/** Figures that must fit each other, both among MEASURED: the ratio of 1 + each. */
const PAIRS: readonly (readonly [Attribute, Attribute])[] = [
  ['bedrooms', 'livingAreaSqft'],
  ['bathrooms', 'livingAreaSqft'],
  ['bathrooms', 'bedrooms'],
  ['totalUnits', 'livingAreaSqft'],
];

const AREAS: ReadonlySet<Attribute> = new Set(['livingAreaSqft', 'lotSizeSqft']);
const COMPARED_WITH_RECORD: readonly Attribute[] = [
  'totalUnits',
  'bedrooms',
  'bathrooms',
  'livingAreaSqft',
  'lotSizeSqft',
  'yearBuilt',
];

/** A figure of the request that is probably wrong, with the reason. */
interface ImplausibleInput {
  readonly attribute: Attribute;
  readonly reason: (nameOf: (attribute: Attribute) => string) => string;
}

interface Range {
  readonly least: number;
  readonly most: number;
}

/** The ranges of attributes in the training sales of a model. */
interface TrainingRanges {
  /** Null for an attribute that no sale has. */
  readonly rangeOf: (attribute: Attribute) => Range | null;
  readonly hasType: (type: number) => boolean;
  /** By type code: plausible ln of (1 + value), and of the ratios of PAIRS. */
  readonly plausible: (type: number) => PlausibleRanges;
}

/** By CHECKED; not a number where the sales are too few. */
interface PlausibleRanges {
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** By ATTRIBUTES, 1 where hardly any sale has it: it changes no value, and the few that are known show no range. */
  readonly unused: Uint8Array;
}

const CHECKED: readonly (Attribute | (typeof PAIRS)[number])[] = [...MEASURED, ...PAIRS];

/** Columns are replaced with every import. Models of several days share them. */
const remembered = new WeakMap<SaleColumns, Map<Day, TrainingRanges>>();

export function trainingRangesOf(columns: SaleColumns, trainedOn: Day): TrainingRanges {
  const known = remembered.get(columns)?.get(trainedOn);
  return known ?? remember(columns, trainedOn, collectDerived().derive);
}

/**
 * Computes now what the first values would otherwise wait for.
 *
 * @param derive keeps what is computed, which other threads can use
 */
export function prepareTrainingRanges(columns: SaleColumns, trainedOn: Day, derive: Derive): void {
  const { hasType, plausible } = remember(columns, trainedOn, derive);
  for (const type of PROPERTY_TYPES.keys()) if (hasType(type)) plausible(type);
}

function remember(columns: SaleColumns, trainedOn: Day, derive: Derive): TrainingRanges {
  const ofColumns = remembered.get(columns) ?? new Map<Day, TrainingRanges>();
  remembered.set(columns, ofColumns);
  const ranges = readTrainingRanges(columns, trainedOn, derive);
  ofColumns.set(trainedOn, ranges);
  return ranges;
}

/** Plausible ranges are found for a type when its first home is valued: 10 ms for 30,000 sales. */
function readTrainingRanges(columns: SaleColumns, trainedOn: Day, derive: Derive): TrainingRanges {
  let found: Int32Array | null = null;
  const rows = (): Int32Array => (found ??= asOfRows(columns, trainedOn));
  const { least, most } = derive('training ranges', () => rangesOf(columns, rows()));
  const { has } = derive('training types', () => {
    const ofType = new Uint8Array(PROPERTY_TYPES.length);
    for (const row of rows()) ofType[columns.type[row]] = 1;
    return { has: ofType };
  });
  const ofOthers = collectDerived().derive;
  return {
    rangeOf(attribute) {
      const a = ATTRIBUTES.indexOf(attribute);
      return least[a] <= most[a] ? { least: least[a], most: most[a] } : null;
    },
    hasType: (type) => has[type] === 1,
    plausible(type) {
      // A type without sales is compared with all homes. A few sales show no range, and other types' may not fit.
      if (has[type] === 0) return ofOthers('all types', () => plausibleRanges(columns, rows()));
      const own = () => rows().filter((row) => columns.type[row] === type);
      return derive(`plausible ${type}`, () => plausibleRanges(columns, own()));
    },
  };
}

/** By ATTRIBUTES; the least is above the most where no row has a value. */
function rangesOf({ attributes }: SaleColumns, rows: Int32Array) {
  const least = new Float64Array(ATTRIBUTES.length).fill(Infinity);
  const most = new Float64Array(ATTRIBUTES.length).fill(-Infinity);
  ATTRIBUTES.forEach((attribute, a) => {
    const values = attributes[attribute];
    for (const row of rows) {
      if (values[row] < least[a]) least[a] = values[row];
      if (values[row] > most[a]) most[a] = values[row];
    }
  });
  return { least, most };
}

function plausibleRanges({ attributes }: SaleColumns, rows: Int32Array): PlausibleRanges {
  const isUnused = (name: Attribute): boolean => {
    const values = attributes[name];
    let known = 0;
    for (const row of rows) if (Number.isFinite(values[row])) known++;
    return rows.length >= IMPUTATION.rareSales && known < IMPUTATION.rareShare * rows.length;
  };
  const logsOf = (name: Attribute): Float64Array => {
    const values = attributes[name];
    const logs = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) logs[i] = Math.log1p(values[rows[i]]);
    return logs;
  };
  const single = MEASURED.map(logsOf);
  const ratiosOf = ([a, b]: (typeof PAIRS)[number]): Float64Array => {
    const [left, right] = [single[MEASURED.indexOf(a)], single[MEASURED.indexOf(b)]];
    return left.map((log, i) => log - right[i]);
  };
  const pairs = PAIRS.map(ratiosOf);
  const ranges = [...single, ...pairs].map(plausibleRange);
  return {
    least: Float64Array.from(ranges, ([least]) => least),
    most: Float64Array.from(ranges, ([, most]) => most),
    unused: Uint8Array.from(ATTRIBUTES, (name) => (isUnused(name) ? 1 : 0)),
  };
}

/** Least and most of the finite numbers, which are reordered; not numbers where they are too few. */
function plausibleRange(logs: Float64Array): readonly [least: number, most: number] {
  let count = 0;
  for (const log of logs) if (Number.isFinite(log)) logs[count++] = log;
  if (count < PLAUSIBILITY.sales) return [NaN, NaN];
  const beyond = Math.floor(PLAUSIBILITY.tail * count);
  const { logMargin } = PLAUSIBILITY;
  return [
    selectInPlace(logs, count, beyond) - logMargin,
    selectInPlace(logs, count, count - 1 - beyond) + logMargin,
  ];
}

/**
 * Figures of the request that are outside of what the market's training sales have, alone or together. One for
 * each cause: a figure named once is not named again. Depends only on the sales of the model's training day, so
 * later sales do not change a response.
 */
export function implausibleInputs(
  columns: SaleColumns,
  trainedOn: Day,
  { type, attributes }: Home,
  sources: AttributeSources,
): ImplausibleInput[] {
  const ranges = trainingRangesOf(columns, trainedOn);
  const { least, most, unused } = ranges.plausible(PROPERTY_TYPES.indexOf(type));
  const found: ImplausibleInput[] = [];
  const named = new Set<Attribute>();
  const isUsed = (attribute: Attribute) => unused[ATTRIBUTES.indexOf(attribute)] === 0;
  const isStated = (attribute: Attribute) => sources[attribute] === 'request' && isUsed(attribute);
  for (const attribute of ATTRIBUTES) {
    const value = attributes[attribute];
    const seen = ranges.rangeOf(attribute);
    if (value === null || !seen || seen.least === seen.most || !isStated(attribute) || named.has(attribute))
      continue;
    // Not in CHECKED, or too few sales: neither is true of what is not a number.
    const at = CHECKED.indexOf(attribute);
    const log = Math.log1p(value);
    const isMore = value > seen.most || log > most[at];
    const isLess = value < seen.least || log < least[at];
    if (!isMore && !isLess) continue;
    named.add(attribute);
    const than = isMore ? 'more' : 'less';
    found.push({ attribute, reason: () => `${value} is ${than} than similar homes sold here have` });
  }
  for (const pair of PAIRS) {
    const [a, b] = pair;
    const at = CHECKED.indexOf(pair);
    const [left, right] = [attributes[a], attributes[b]];
    if (left === null || right === null || named.has(a) || named.has(b)) continue;
    if ((!isStated(a) && !isStated(b)) || !isUsed(a) || !isUsed(b)) continue;
    const log = Math.log1p(left) - Math.log1p(right);
    if (!(log > most[at] || log < least[at])) continue;
    named.add(a).add(b);
    const [attribute, value, other, otherValue] = isStated(a) ? [a, left, b, right] : [b, right, a, left];
    const isMuch = log > most[at] === isStated(a);
    const [much, little, unit] = AREAS.has(attribute) ? ['large', 'small', ' sqft'] : ['many', 'few', ''];
    found.push({
      attribute,
      reason: (nameOf) =>
        `${value}${unit} is very ${isMuch ? much : little} for ${otherValue} ${AREAS.has(other) ? 'sqft' : nameOf(other)}`,
    });
  }
  return found;
}

/** Error that implausible figures may hide, ln USD. */
export function implausibleSpread(inputs: readonly ImplausibleInput[]): number {
  return PLAUSIBILITY.sd * Math.sqrt(inputs.length);
}

/** The home with recorded figures instead of implausible ones; without a record, they are unknown. */
export function withoutImplausible(home: Home, inputs: readonly ImplausibleInput[]): Home {
  const corrected = asRecorded(home) ?? home;
  const attributes: Record<Attribute, number | null> = { ...corrected.attributes };
  for (const { attribute } of inputs) attributes[attribute] = home.recorded?.attributes[attribute] ?? null;
  return { ...corrected, attributes };
}

/** Figures of the record from which the request differs. Both may be right, such as after an addition. */
export function contradictedFigures(
  stated: Partial<Attributes>,
  record: Attributes,
): Partial<Record<Attribute, number>> {
  const differing = COMPARED_WITH_RECORD.flatMap((attribute) => {
    const [given, recorded] = [stated[attribute] ?? null, record[attribute]];
    const isSame = given === null || recorded === null || recorded <= 0 || given === recorded;
    return isSame ? [] : [[attribute, recorded] as const];
  });
  return Object.fromEntries(differing);
}

/** The home as the public record describes it; null if the request agrees with it. */
export function asRecorded({ recorded, ...home }: Home): Home | null {
  if (!recorded) return null;
  const { type, attributes } = recorded;
  return { ...home, type, attributes: { ...home.attributes, ...attributes } };
}

/**
 * The record's figures that change the value, as one cause: if one of them is named already, that is the cause. The
 * figure that differs most is the one named first.
 */
export function differsFromRecord(
  { attributes, recorded }: Home,
  sources: AttributeSources,
  named: readonly ImplausibleInput[],
): ImplausibleInput[] {
  const figures = ATTRIBUTES.flatMap((attribute) => {
    const [stated, other] = [attributes[attribute], recorded?.attributes[attribute] ?? null];
    if (stated === null || other === null || sources[attribute] !== 'request') return [];
    return [{ attribute, stated, other, ratio: Math.abs(Math.log1p(stated) - Math.log1p(other)) }];
  });
  if (
    figures.length === 0 ||
    figures.some(({ attribute }) => named.some((one) => one.attribute === attribute))
  )
    return [];
  figures.sort((a, b) => b.ratio - a.ratio);
  const [{ attribute, stated }] = figures;
  return [
    {
      attribute,
      reason: (nameOf) => {
        const list = figures.map((figure) => `${nameOf(figure.attribute)} ${figure.other}`);
        return `${stated} differs from the public record (${list.join(', ')}), and the value changes much with it`;
      },
    },
  ];
}
