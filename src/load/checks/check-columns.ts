import { formatDay } from '../../domain/day.ts';
import { bareName, COUNTED_BATH_HEADING, HALF_BATH_HEADINGS } from '../../domain/column-headings.ts';
import type { TableFormat } from '../../tables/table.ts';
import type { ColumnForm, FormDoubt } from '../rows/column-forms.ts';
import { SERIAL_EPOCH, SERIAL_EPOCH_1904 } from '../rows/date-forms.ts';
import type { TableKind } from '../rows/columns.ts';
import type { BoundColumns } from '../rows/mapping.ts';
import { unreadColumn, type Finding } from './finding.ts';

/** Columns without which a model is much worse, and names that such a column may have. */
const IMPORTANT: Readonly<Record<string, RegExp>> = {
  bedrooms: /bed|bdrm|^brs?$/,
  bathrooms: /bath|bths?$|bthrm|^ba$/,
  living_area:
    /sqft|sqf|sf$|squarefe|squarefoo|liv(ing|able)?area|lvg|finished|heated|gla$|^area$|flo?o?rarea|bldgarea|buildingarea/,
};
const OTHER_AREA =
  /lot|land|garage|basement|bsmt|porch|deck|price|per|acre|unfin|unheated|fixture|total_?area$/;
/** `SALE_PRC2`, `PREVSALEPRICE`: an earlier sale of the home in the same row. */
const OTHER_SALE_PRICE =
  /^((prev(ious)?|prior|second|third)(sale)?(s)?(price|amount|amt|prc)\d?|sale(s)?(price|amount|amt|prc)[2-9]|sale[2-9](price|amount|amt|prc)|price[2-9])$/;

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
        remedy:
          kind === 'sales'
            ? `Add the column ${column} if its publisher has it. If the facts are in another file, import that as parcels first: sales without any take those of their parcels.`
            : `Add the column ${column} if its publisher has it.`,
        isBlocking: false,
      });
    }
  }
  found.push(...halfBaths(file, sources.bathrooms?.source, unread));
  return found;
}

const HALF_BATHS = new Set(HALF_BATH_HEADINGS.split(', ').map(bareName));

/** Finds half baths that are not counted, or are counted as whole ones. */
function halfBaths(file: string, source: string | undefined, unread: readonly string[]): Finding[] {
  if (source === undefined) return [];
  const half = unread.find((name) => HALF_BATHS.has(bareName(name)));
  const isCounted = bareName(source) === bareName(COUNTED_BATH_HEADING);
  const found = { check: 'half_baths_not_read', column: 'bathrooms', count: 0, examples: [] } as const;
  const read = `The bathrooms of ${file} are read from "${source}"`;
  if (half === undefined) {
    const message = `${read}, in which a half bath counts as one.`;
    const remedy =
      'Add columns of full and half baths if the publisher has them, such as BathroomsFull and BathroomsHalf.';
    return isCounted ? [{ ...found, message, remedy, isBlocking: false }] : [];
  }
  const fix = (label: string, times: number) => [
    { label, mapping: { bathrooms: { sum: [source, { source: half, times }] } } },
  ];
  if (isCounted) {
    const message = `${read}, in which each half bath of "${half}" counts as one.`;
    const remedy = `Subtract half of "${half}".`;
    return [{ ...found, message, remedy, fixes: fix(`Subtract half of "${half}"`, -0.5), isBlocking: true }];
  }
  const message = `${read}, and "${half}" is not counted.`;
  const remedy = `Add the half baths if "${source}" are full baths only; otherwise accept the file as it is.`;
  return [{ ...found, message, remedy, fixes: fix(`Add half of "${half}"`, 0.5), isBlocking: true }];
}

/** Finds earlier sales of the same homes in further columns. They are not wrong, and make a model better. */
export function otherSales(file: string, kind: TableKind, unread: readonly string[]): Finding[] {
  const prices = kind === 'sales' ? unread.filter((name) => OTHER_SALE_PRICE.test(bareName(name))) : [];
  if (prices.length === 0) return [];
  return [
    {
      check: 'other_sales_not_read',
      column: 'sale_price',
      count: 0,
      message: `Each row of ${file} may have more than one sale of its home: ${prices.map((name) => `"${name}"`).join(', ')} ${prices.length === 1 ? 'is' : 'are'} not read.`,
      examples: prices.slice(0, 3),
      remedy:
        'To load these sales too, import the file again with a mapping that reads sale_price and sale_date (and arms_length) from their columns.',
      isBlocking: false,
    },
  ];
}

const DOUBTS: Readonly<Record<FormDoubt['check'], readonly [message: string, remedy: string]>> = {
  ambiguous_dates: [
    'do not show whether the month or the day comes first',
    'Choose the order, or export dates as YYYY-MM-DD.',
  ],
  mixed_dates: [
    'have the month first in some rows and the day first in others',
    'Export dates as YYYY-MM-DD, or choose the order of the valid rows.',
  ],
  serial_dates: [
    'are numbers of days, and do not show whether they are counted from 1900 (Windows) or 1904 (older Macs)',
    'Choose the year, or export dates as YYYY-MM-DD.',
  ],
  ambiguous_numbers: [
    'do not show whether the mark separates thousands or decimals',
    'Export the column without thousands separators, and with a decimal point.',
  ],
  mixed_numbers: [
    'have a decimal comma in some rows and a decimal point in others',
    'Export the column with a decimal point in all rows.',
  ],
};

/** What the forms of a file's columns leave uncertain. */
export function doubtfulForms(
  file: string,
  header: readonly string[],
  { sources }: Pick<BoundColumns, 'sources'>,
  forms: ReadonlyMap<number, ColumnForm>,
): Finding[] {
  return [...forms].flatMap(([position, { doubt }]) => {
    if (!doubt) return [];
    const source = header[position];
    const [column = source] =
      Object.entries(sources).find(([, from]) => from.source?.toLowerCase() === source.toLowerCase()) ?? [];
    const [what, remedy] = DOUBTS[doubt.check];
    const message = `${doubt.count} values of "${source}" in ${file} ${what}.`;
    const fixes = dateFormats(doubt).map(([label, format]) => ({
      label,
      mapping: { [column]: { source, format } },
    }));
    return [{ ...doubt, column, message, remedy, fixes, isBlocking: true }];
  });
}

/** The two readings of dates such as 3/4/2021 or 44259; none of numbers. */
function dateFormats({ check, examples }: FormDoubt): (readonly [label: string, format: string])[] {
  if (check === 'serial_dates') {
    return [SERIAL_EPOCH, SERIAL_EPOCH_1904].map((epoch) => {
      const first = formatDay(Number.parseInt(examples[0], 10) + epoch);
      return [`${Number.parseInt(examples[0], 10)} is ${first}`, `days since ${formatDay(epoch)}`];
    });
  }
  const [, mark] = /^\s*\d{1,2}([/.-])\d{1,2}\1\d{4}\b/.exec(examples[0] ?? '') ?? [];
  if (mark === undefined) return [];
  return [
    [`Month first: 3${mark}4 is March 4`, `M${mark}D${mark}YYYY`],
    [`Day first: 3${mark}4 is April 3`, `D${mark}M${mark}YYYY`],
  ];
}

/** Cells of an .xlsx worksheet that are merged over rows, and worksheets with data that are not read. */
export function worksheetFindings(file: string, format: TableFormat | undefined): Finding[] {
  const { sheet = '', otherSheets: others = [], mergedCells: merged = [] } = format ?? {};
  const found: Finding[] = [];
  if (merged.length > 0) {
    found.push({
      check: 'merged_cells',
      column: null,
      count: merged.length,
      message: `${merged.length} ranges of the worksheet "${sheet}" of ${file} are merged cells: only the first row or column of each has the value, and the others are empty.`,
      examples: merged.slice(0, 3),
      remedy: 'In Excel, select the worksheet, choose Unmerge Cells, and fill the value into every cell.',
      isBlocking: true,
    });
  }
  if (others.length > 0) {
    found.push({
      check: 'other_sheets',
      column: null,
      count: others.length,
      message: `Only the worksheet "${sheet}" of ${file} is read, not ${others.map((name) => `"${name}"`).join(', ')}.`,
      examples: others.slice(0, 3),
      remedy: 'Save each worksheet with data as a file of its own.',
      isBlocking: true,
    });
  }
  return found;
}
