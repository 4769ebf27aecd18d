import {
  ACRE_HEADINGS,
  AREA_UNIT_HEADINGS,
  attributeHeadings,
  bareName,
  FULL_BATH_HEADINGS,
  HALF_BATH_HEADINGS,
  INDEX_HEADINGS,
  LOCATION_HEADINGS,
  PARCEL_COUNT_HEADINGS,
  PROJECTED_HEADINGS,
  RECORD_HEADINGS,
  SALE_DATE_PARTS,
  STREET_PARTS,
  SUBTYPE_HEADINGS,
  THREE_QUARTER_BATH_HEADINGS,
  UNIT_HEADINGS,
} from '../../domain/column-headings.ts';
import { SQFT_PER_ACRE, SQFT_PER_SQM } from './cell-values.ts';
import { COLUMNS_OF, type TableKind } from './columns.ts';
import { sourcesOf, type ColumnSource, type Mapping } from './column-source.ts';

/** Units at the end of the names of areas: `lot_size_sqm`, `Living area m²`, `Lot Acres`. */
const AREA_UNITS: readonly (readonly [unit: RegExp, times: number])[] = [
  [/(m2|sqm|sqmt|sqmeters?|sqmetres?|squaremet(er|re)s?)$/, SQFT_PER_SQM],
  [/(acres|acreage|ac)$/, SQFT_PER_ACRE],
];

/** Headings that name the home, not its owner. */
const OF_HOME = /^(property|prop|site|situs|location|loc|physical|phys|phy|premises)\b/;

/** How files name the words of a code: `USEDESC` next to `USECODE`, `CNDTN_D` next to `CNDTN`. */
const DESCRIBED_BY = ['desc', 'description', 'descr', 'd', 'text', 'name', 'label'];
/** Columns that may be codes of the publisher, which its words explain. */
const CODED_COLUMNS = ['condition', 'property_type'];

/**
 * Sources of the columns that neither the mapping nor the file has under our name, by the names that other files use.
 * No column of the file is used twice.
 */
export function suggestMapping(kind: TableKind, header: readonly string[], mapping: Mapping): Mapping {
  if (kind === 'crime') return {};
  const file = openFile(kind, header, mapping);
  if (kind === 'index') file.suggestByName(INDEX_HEADINGS);
  suggestType(file);
  file.suggestByName(RECORD_HEADINGS);
  suggestSale(file);
  suggestLocation(file);
  file.suggestByName(UNIT_HEADINGS);
  suggestAttributes(file, attributeHeadings(kind === 'rents' ? 'unit' : 'home'));
  const isLocated = ['latitude', 'address', 'parcel_id'].some(
    (column) => COLUMNS_OF[kind].includes(column) && !file.isOpen(column),
  );
  if (!isLocated) file.suggestByName(PROJECTED_HEADINGS);
  for (const column of CODED_COLUMNS) {
    const words = file.isMapped(column) ? undefined : takeWordsOf(file, file.sourceOf(column));
    if (words !== undefined) file.suggested[column] = { source: words };
  }
  return file.suggested;
}

type File = ReturnType<typeof openFile>;

/** The columns of a file that are not used yet, and what was suggested. */
function openFile(kind: TableKind, header: readonly string[], mapping: Mapping) {
  const taken = new Set(Object.values(mapping).flatMap(sourcesOf).map(bareName));
  /** By bare name. */
  const free = new Map<string, string>();
  for (const name of header) {
    const isOurs = COLUMNS_OF[kind].includes(name.toLowerCase());
    if (name !== '' && !isOurs && !taken.has(bareName(name))) free.set(bareName(name), name);
  }
  const ours = header.map((name) => name.toLowerCase()).filter((name) => COLUMNS_OF[kind].includes(name));
  const suggested: Record<string, ColumnSource> = {};
  const isMapped = (column: string): boolean => column in mapping;
  /** Whether a column of the import has no source. */
  const isOpen = (column: string): boolean =>
    COLUMNS_OF[kind].includes(column) &&
    !isMapped(column) &&
    !(column in suggested) &&
    !ours.includes(column);
  /** Takes the first column of the file that has one of these names. */
  const take = (headings: readonly string[]): string | undefined => {
    const found = headings.map(bareName).find((name) => free.has(name));
    const name = found === undefined ? undefined : free.get(found);
    if (found !== undefined) free.delete(found);
    return name;
  };
  const suggest = (column: string, sourceOf: () => ColumnSource | undefined): void => {
    const source = isOpen(column) ? sourceOf() : undefined;
    if (source) suggested[column] = source;
  };
  return {
    free,
    suggested,
    isMapped,
    isOpen,
    take,
    takeOf: (headings: string) => take(headings.split(', ')),
    suggest,
    suggestByName(headings: Readonly<Record<string, string | readonly string[]>>): void {
      for (const [column, names] of Object.entries(headings)) {
        suggest(column, () => {
          const source = take([column, ...(typeof names === 'string' ? names.split(', ') : names)]);
          return source === undefined ? undefined : { source };
        });
      }
    },
    /** What was suggested for a column, or the file's own column of this name. */
    sourceOf: (column: string): ColumnSource | undefined =>
      suggested[column] ?? (ours.includes(column) ? { source: column } : undefined),
    mappedTo: (column: string): ColumnSource | undefined => mapping[column],
  };
}

/** The type within a wider one comes first: a wider type alone would make condominiums houses. */
function suggestType({ suggest, take, takeOf }: File): void {
  suggest('property_type', () => {
    const subtype = takeOf(SUBTYPE_HEADINGS);
    if (subtype === undefined) return undefined;
    const type = take(['property type', ...RECORD_HEADINGS.property_type.split(', ')]);
    return type === undefined ? { source: subtype } : { join: [type, subtype] };
  });
}

function suggestSale({ suggest, takeOf, sourceOf, mappedTo }: File): void {
  suggest('sale_date', () => {
    const [year, month, day] = [SALE_DATE_PARTS.year, SALE_DATE_PARTS.month, SALE_DATE_PARTS.day].map(takeOf);
    if (year === undefined || month === undefined) return undefined;
    return day === undefined
      ? { join: [month, year], format: 'M YYYY' }
      : { join: [month, day, year], format: 'M D YYYY' };
  });
  // Lists of recorded deeds have no other date.
  suggest('sale_date', () => mappedTo('recorded_date') ?? sourceOf('recorded_date'));
  suggest('multi_parcel', () => {
    const source = takeOf(PARCEL_COUNT_HEADINGS);
    return source === undefined ? undefined : { source, map: { 0: 'no', 1: 'no' } };
  });
}

function suggestLocation({ suggested, isMapped, suggest, suggestByName, take, takeOf }: File): void {
  // Next to the address of the home, a plain `ADDRESS` or `CITY` is often that to which the owner's bill is sent.
  for (const [column, headings] of Object.entries(LOCATION_HEADINGS)) {
    const source = isMapped(column)
      ? undefined
      : take(headings.split(', ').filter((name) => OF_HOME.test(name)));
    if (source !== undefined) suggested[column] = { source };
  }
  suggestByName(LOCATION_HEADINGS);
  suggest('address', () => {
    const number = takeOf(STREET_PARTS.number);
    const [before, name, type, after] = [
      STREET_PARTS.preDirection,
      STREET_PARTS.name,
      STREET_PARTS.type,
      STREET_PARTS.postDirection,
    ].map(takeOf);
    if (number === undefined || name === undefined) return undefined;
    const parts = [number, before, name, type, after, takeOf(STREET_PARTS.unit)];
    return { join: parts.filter((part) => part !== undefined) };
  });
}

function suggestAttributes(file: File, attributes: ReturnType<typeof attributeHeadings>): void {
  const { suggested, isMapped, suggest, suggestByName, takeOf } = file;
  // Full and half baths come first: `baths` next to them is one of several counts.
  suggest('bathrooms', () => {
    const full = takeOf(FULL_BATH_HEADINGS);
    if (full === undefined) return undefined;
    const parts = [
      { source: takeOf(THREE_QUARTER_BATH_HEADINGS), times: 0.75 },
      { source: takeOf(HALF_BATH_HEADINGS), times: 0.5 },
    ];
    return { sum: [full, ...parts.flatMap(({ source, times }) => (source ? [{ source, times }] : []))] };
  });
  suggestByName(attributes);
  suggest('lot_size', () => {
    const source = takeOf(ACRE_HEADINGS);
    return source === undefined ? undefined : { source, times: SQFT_PER_ACRE };
  });
  for (const column of ['living_area', 'size', 'lot_size']) {
    suggest(column, () => takeArea(file, [column, ...(attributes[column] ?? [])].map(bareName)));
  }
  for (const [column, headings] of Object.entries(AREA_UNIT_HEADINGS)) {
    const { source, times } = (isMapped(column) ? null : file.sourceOf(column)) ?? {};
    const unit = source === undefined || times !== undefined ? undefined : takeOf(headings);
    if (source !== undefined && unit !== undefined) suggested[column] = { join: [source, unit] };
  }
}

/** An area whose name ends with a unit that is not square feet. */
function takeArea({ free, take }: File, names: readonly string[]): ColumnSource | undefined {
  for (const [unit, times] of AREA_UNITS) {
    const found = [...free.keys()].find((name) => unit.test(name) && names.includes(name.replace(unit, '')));
    const source = found === undefined ? undefined : take([found]);
    if (source !== undefined) return { source, times };
  }
  return undefined;
}

/** The column of words that explains a column of codes. */
function takeWordsOf({ take }: File, source: ColumnSource | undefined): string | undefined {
  const name = bareName(source?.source ?? '');
  if (name === '') return undefined;
  const stem = name.replace(/(code|cd)$/, '');
  return take([name, stem].flatMap((start) => DESCRIBED_BY.map((end) => start + end)));
}
