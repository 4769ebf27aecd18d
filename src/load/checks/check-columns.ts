import { formatDay } from '../../domain/day.ts';
import { bareName, COUNTED_BATH_HEADING, HALF_BATH_HEADINGS } from '../../domain/column-headings.ts';
import type { TableFormat } from '../../tables/table.ts';
import type { ColumnForm, FormDoubt } from '../rows/column-forms.ts';
import { SERIAL_EPOCH, SERIAL_EPOCH_1904 } from '../rows/date-forms.ts';
import type { TableKind } from '../rows/columns.ts';
import type { BoundColumns, CellOf } from '../rows/mapping.ts';
import { quoted, unreadColumn, type Finding } from './finding.ts';

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

/** A column with fewer values than this share of the rows is as good as missing. */
const EMPTY_SHARE = 0.01;
const LEAST_ROWS = 10;
/** No home has an area of 0. Studios for rent have 0 bedrooms. */
const ZERO = /^0*(\.0*)?$/;

/**
 * Finds important columns that are not read because of their names, or that are empty in nearly all rows, such as a
 * living area of 0 next to a gross area.
 */
export function createMissingColumnCheck(
  file: string,
  kind: TableKind,
  { sources, unread }: Pick<BoundColumns, 'sources' | 'unread'>,
) {
  const important = Object.keys(IMPORTANT).filter((column) => column !== 'living_area' || kind !== 'rents');
  const counts = new Map(important.filter((column) => column in sources).map((column) => [column, 0]));
  let rows = 0;

  function add(known: CellOf): void {
    rows++;
    for (const [column, count] of counts) {
      const text = known(column);
      const isKnown = column === 'bedrooms' && kind === 'rents' ? text !== '' : !ZERO.test(text);
      if (isKnown) counts.set(column, count + 1);
    }
  }

  function findings(): Finding[] {
    if (kind !== 'sales' && kind !== 'rents' && kind !== 'parcels') return [];
    const found = important.flatMap((column) => {
      const source = sources[column]?.source;
      const count = counts.get(column) ?? 0;
      const isEmpty = source !== undefined && rows >= LEAST_ROWS && count < EMPTY_SHARE * rows;
      if (column in sources && !isEmpty) return [];
      const empty = `"${source}" of ${file}, read as ${column}, is empty or 0 in ${rows - count} of ${rows} rows`;
      return missingColumn(column, isEmpty ? empty : null);
    });
    return [...found, ...halfBaths(file, sources.bathrooms?.source, unread)];
  }

  /** `empty` says that the column is read, and has no values. */
  function missingColumn(column: string, empty: string | null): Finding[] {
    const names = IMPORTANT[column];
    const likely = unread.filter((name) => names.test(bareName(name)) && !OTHER_AREA.test(bareName(name)));
    if (likely.length > 0) {
      const other = unreadColumn(file, column, likely);
      const message = empty === null ? other.message : `${empty}, and ${quoted(likely)} may be it.`;
      return [
        {
          ...other,
          message,
          count: empty === null ? 0 : rows,
          examples: likely.slice(0, 3),
          isBlocking: true,
        },
      ];
    }
    if (kind === 'parcels') return [];
    const ofParcels =
      'If the facts are in another file, import that as parcels first: sales without any take those of their parcels.';
    const add = `Add the column ${column} if its publisher has it.`;
    return [
      {
        check: 'missing_columns',
        column,
        count: empty === null ? 0 : rows,
        message: `${empty ?? `${file} has no ${column}`}: values will be less accurate.`,
        examples: [],
        remedy: kind === 'sales' ? `${add} ${ofParcels}` : add,
        isBlocking: false,
      },
    ];
  }

  return { add, findings };
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
      message: `Each row of ${file} may have more than one sale of its home: ${quoted(prices)} ${prices.length === 1 ? 'is' : 'are'} not read.`,
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
      message: `Only the worksheet "${sheet}" of ${file} is read, not ${quoted(others)}.`,
      examples: others.slice(0, 3),
      remedy: 'Save each worksheet with data as a file of its own.',
      isBlocking: true,
    });
  }
  return found;
}
