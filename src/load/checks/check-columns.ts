import { bareName, HALF_BATH_HEADINGS } from '../../domain/column-headings.ts';
import type { TableFormat } from '../../tables/table.ts';
import type { ColumnForm } from '../rows/column-forms.ts';
import type { TableKind } from '../rows/columns.ts';
import type { BoundColumns } from '../rows/mapping.ts';
import { unreadColumn, type Finding, type Fix } from './finding.ts';

/** Columns without which a model is much worse, and names that such a column may have. */
const IMPORTANT: Readonly<Record<string, RegExp>> = {
  bedrooms: /bed|bdrm|^brs?$/,
  bathrooms: /bath|bths?$|bthrm|^ba$/,
  living_area:
    /sqft|sqf|sf$|squarefe|squarefoo|livingarea|livarea|finished|heated|gla$|^area$|floorarea|bldgarea|buildingarea/,
};
const OTHER_AREA = /lot|land|garage|basement|bsmt|porch|deck|price|per|acre/;

/** Finds important columns that are not read because of their names. */
export function missingColumns(
  file: string,
  kind: TableKind,
  { sources, unread }: Pick<BoundColumns, 'sources' | 'unread'>,
): Finding[] {
  if (kind !== 'sales' && kind !== 'rents' && kind !== 'parcels') return [];
  const found: Finding[] = [];
  for (const [column, names] of Object.entries(IMPORTANT)) {
    if (column in sources || (column === 'living_area' && kind === 'rents')) continue;
    const likely = unread.filter((name) => names.test(bareName(name)) && !OTHER_AREA.test(bareName(name)));
    if (likely.length > 0) {
      const examples = likely.slice(0, 3);
      found.push({ ...unreadColumn(file, column, likely), count: 0, examples, isBlocking: true });
    } else if (kind !== 'parcels') {
      found.push({
        check: 'missing_columns',
        column,
        count: 0,
        message: `${file} has no ${column}: values will be less accurate.`,
        examples: [],
        remedy: `Add the column ${column} if its publisher has it.`,
        isBlocking: false,
      });
    }
  }
  const halfNames = new Set(HALF_BATH_HEADINGS.split(', ').map(bareName));
  const half = unread.find((name) => halfNames.has(bareName(name)));
  const { source } = sources.bathrooms ?? {};
  if (half !== undefined && source !== undefined) {
    found.push({
      check: 'half_baths_not_read',
      column: 'bathrooms',
      count: 0,
      message: `The bathrooms of ${file} are read from "${source}", and "${half}" is not counted.`,
      examples: [],
      remedy: `If "${source}" are full baths, map {"bathrooms": {"sum": ["${source}", {"source": "${half}", "times": 0.5}]}}; otherwise {"bathrooms": {"source": "${source}"}} with --accept half_baths_not_read.`,
      fixes: [
        {
          label: `Add half of "${half}"`,
          mapping: { bathrooms: { sum: [source, { source: half, times: 0.5 }] } },
        },
      ],
      isBlocking: true,
    });
  }
  return found;
}

const DOUBTS = {
  ambiguous_dates: {
    message: 'do not show whether the month or the day comes first',
    remedy: (column: string, source: string) =>
      `Give the form: {"${column}": {"source": "${source}", "format": "M/D/YYYY"}} or "D/M/YYYY".`,
  },
  mixed_dates: {
    message: 'have the month first in some rows and the day first in others',
    remedy: (column: string, source: string) =>
      `Export "${source}" with dates as YYYY-MM-DD, or give the form of the valid rows: {"${column}": {"source": "${source}", "format": "M/D/YYYY"}}.`,
  },
  ambiguous_numbers: {
    message: 'do not show whether the mark separates thousands or decimals',
    remedy: (_: string, source: string) =>
      `Export "${source}" without thousands separators, and with a decimal point.`,
  },
  mixed_numbers: {
    message: 'have a decimal comma in some rows and a decimal point in others',
    remedy: (_: string, source: string) => `Export "${source}" with a decimal point in all rows.`,
  },
} as const;

/** What the forms of a file's columns leave uncertain. */
export function doubtfulForms(
  file: string,
  header: readonly string[],
  { sources }: Pick<BoundColumns, 'sources'>,
  forms: ReadonlyMap<number, ColumnForm>,
): Finding[] {
  const found: Finding[] = [];
  for (const [position, { doubt }] of forms) {
    if (!doubt) continue;
    const source = header[position];
    const [column = source] =
      Object.entries(sources).find(([, from]) => from.source?.toLowerCase() === source.toLowerCase()) ?? [];
    const { message, remedy } = DOUBTS[doubt.check];
    found.push({
      ...doubt,
      column,
      message: `${doubt.count} values of "${source}" in ${file} ${message}.`,
      remedy: remedy(column, source),
      fixes: dateFixes(column, source, doubt.examples),
      isBlocking: true,
    });
  }
  return found;
}

/** The two readings of dates such as 3/4/2021. */
function dateFixes(column: string, source: string, examples: readonly string[]): Fix[] {
  const [, mark] = /^\s*\d{1,2}([/.-])\d{1,2}\1\d{4}\b/.exec(examples[0] ?? '') ?? [];
  if (mark === undefined) return [];
  const fix = (label: string, format: string): Fix => ({
    label,
    mapping: { [column]: { source, format: format.replaceAll('/', mark) } },
  });
  return [
    fix(`Month first: 3${mark}4 is March 4`, 'M/D/YYYY'),
    fix(`Day first: 3${mark}4 is April 3`, 'D/M/YYYY'),
  ];
}

/** Worksheets with data that are not read. */
export function otherSheets(file: string, format: TableFormat | undefined): Finding[] {
  const { sheet = '', otherSheets: others = [] } = format ?? {};
  if (others.length === 0) return [];
  return [
    {
      check: 'other_sheets',
      column: null,
      count: others.length,
      message: `Only the worksheet "${sheet}" of ${file} is read, not ${others.map((name) => `"${name}"`).join(', ')}.`,
      examples: others.slice(0, 3),
      remedy: 'Save each worksheet with data as a file of its own.',
      isBlocking: true,
    },
  ];
}
