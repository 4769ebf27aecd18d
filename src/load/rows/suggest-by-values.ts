import { propertyTypeOf } from '../../domain/property-type-words.ts';
import { isInUs } from '../../geo/bounds.ts';
import type { TableRow } from '../../tables/table.ts';
import { RowRejection } from '../rejections.ts';
import { dateOf, isUnknown } from './cell-values.ts';
import { sourcesOf, type Mapping } from './column-source.ts';
import { COLUMNS_OF, DATE_COLUMNS, REQUIRED_OF, type TableKind } from './columns.ts';
import { chooseSources } from './mapping.ts';

/** A column is suggested if this share of its values fits. Ids and codes fit by chance in a few rows. */
const LEAST_SHARE = 0.8;
/** Fewer values show nothing. */
const LEAST_VALUES = 3;

const isDegrees = (text: string): boolean => /^-?\d{1,3}\.\d{3,}$/.test(text);
/** `123 N Main St`, `12-B Oak Avenue` */
const isStreetAddress = (text: string): boolean =>
  /^\d{1,6}[-\w]* +[\w.'-]*[a-z][\w.' -]* [\w.#' -]+$/i.test(text);

/** Dates of the record or of the file, such as `as_of_date` and `Extract Date`: not of a sale or a listing. */
const OF_RECORD =
  /(^|[^a-z])(as.?of|extract(ed)?|export(ed)?|snapshot|download(ed)?|retrieved|load(ed)?|updated?|modified|roll)([^a-z]|$)/i;

function isDateOfRecord(name: string): boolean {
  return OF_RECORD.test(name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' '));
}

function isDate(text: string): boolean {
  if (/^\d+(\.\d+)?$/.test(text)) return false;
  try {
    return dateOf(text, 'date') !== null;
  } catch (error) {
    if (error instanceof RowRejection) return false;
    throw error;
  }
}

/** What the values of a column of the import look like; columns that look like many others are not suggested. */
const LOOKS: Readonly<Record<string, (text: string) => boolean>> = {
  property_type: (text) => !/^\d/.test(text) && propertyTypeOf(text, null) !== null,
  latitude: (text) => isDegrees(text) && isInUs(Number(text), -98),
  longitude: (text) => isDegrees(text) && isInUs(39, Number(text)),
  address: isStreetAddress,
  sale_date: isDate,
  listed_date: isDate,
};

/** The sources of columns that no name explains, by the values of the first rows. One that two columns fit has none. */
export function suggestByValues(
  kind: TableKind,
  header: readonly string[],
  samples: readonly TableRow[],
): Mapping {
  const known = chooseSources(kind, header, {});
  const read = new Set(
    Object.values(known).flatMap((source) => sourcesOf(source).map((name) => name.toLowerCase())),
  );
  const free = header.flatMap((name, position) => {
    if (name === '' || read.has(name.toLowerCase())) return [];
    const values = samples
      .map(({ cells }) => (cells[position] ?? '').trim())
      .filter((text) => !isUnknown(text));
    return values.length < LEAST_VALUES ? [] : [{ name, values }];
  });
  const required = new Set(REQUIRED_OF[kind].flat());
  const suggested = Object.entries(LOOKS).flatMap(([column, looks]) => {
    if (column in known || !COLUMNS_OF[kind].includes(column)) return [];
    const isDated = DATE_COLUMNS.includes(column);
    if (isDated && !required.has(column)) return [];
    const fitting = free.filter(
      ({ name, values }) =>
        !(isDated && isDateOfRecord(name)) && values.filter(looks).length >= LEAST_SHARE * values.length,
    );
    return fitting.length === 1 ? [[column, { source: fitting[0].name }] as const] : [];
  });
  const columns = Object.fromEntries(suggested);
  if ('latitude' in columns === 'longitude' in columns) return columns;
  const { latitude: _latitude, longitude: _longitude, ...others } = columns;
  return others;
}
