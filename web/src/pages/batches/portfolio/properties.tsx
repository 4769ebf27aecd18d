import { pathOfValuation } from '../../../api/batches.ts';
import { Button } from '../../../parts/basics.tsx';
import {
  formatChangePct,
  formatCount,
  formatMany,
  formatPercent,
  formatUsd,
  UNKNOWN,
} from '../../../parts/format.ts';
import type { Sorting } from '../../../parts/sort-rows.ts';
import { numberColumn, Table, type Column } from '../../../parts/table.tsx';
import type { Holding } from './figures.ts';

/** What follows the table is in reach: a page of 500 properties is 30,000 pixels long, and five times that on a phone. */
const FIRST_ROWS = 100;
/** More rows make a page slow; the download has all. */
const MAX_ROWS = 1000;

interface ShownColumns {
  readonly unit: string;
  readonly hasLoans: boolean;
  readonly hasAssessed: boolean;
  readonly hasRepeats: boolean;
  readonly limit: number;
}

/** The first properties in the chosen order, and more when asked for. */
export function Properties(props: {
  readonly holdings: readonly Holding[];
  readonly columns: ShownColumns;
  readonly sorting: Sorting | null;
  readonly onSorting: (sorting: Sorting) => void;
  readonly showsAll: boolean;
  readonly onShowAll: () => void;
}) {
  const { holdings, columns, sorting, onSorting, showsAll, onShowAll } = props;
  const all = Math.min(holdings.length, MAX_ROWS);
  const rowsMax = showsAll ? all : FIRST_ROWS;
  return (
    <div class="stack">
      <Table
        caption="Properties of the file"
        columns={columnsOf(columns)}
        rows={holdings}
        rowsMax={rowsMax}
        keyOf={({ row }) => row}
        sorting={sorting}
        onSorting={onSorting}
      />
      {rowsMax < holdings.length && (
        <p class="quiet small">
          {formatCount(rowsMax)} of {formatMany(holdings.length, 'property', 'properties')} are shown. The
          download has all of them.
        </p>
      )}
      {rowsMax < all && (
        <div>
          <Button onClick={onShowAll}>Show {formatCount(all)}</Button>
        </div>
      )}
    </div>
  );
}

/** The address, or the coordinates of a row without one: by either, rows of one home are sorted next to each other. */
function placeOf({ address, latitude, longitude }: Holding): string {
  if (address !== null) return address;
  return latitude === null || longitude === null ? UNKNOWN : `${latitude}, ${longitude}`;
}

export const REFERENCE_AND_ADDRESS: readonly Column<Holding>[] = [
  {
    label: 'Reference',
    isRowHeader: true,
    sortBy: ({ reference }) => reference,
    cell: ({ reference, valuation_id: id }) => (
      // A usual loan number stays on one line.
      <span class={reference.length <= 16 ? 'nowrap' : undefined}>
        {id === null ? reference : <a href={pathOfValuation(id)}>{reference}</a>}
      </span>
    ),
  },
  {
    label: 'Address',
    isText: true,
    sortBy: placeOf,
    cell: placeOf,
  },
];

function columnsOf(shown: ShownColumns): readonly Column<Holding>[] {
  const { unit, hasLoans, hasAssessed, hasRepeats, limit } = shown;
  return [
    { label: 'Row', isNumber: true, sortBy: ({ row }) => row, cell: ({ row }) => row },
    ...REFERENCE_AND_ADDRESS,
    {
      label: unit,
      note: '90% prediction range',
      isNumber: true,
      sortBy: ({ value }) => value,
      cell: ({ value, value_low: low, value_high: high }) => (
        <>
          {formatUsd(value)}{' '}
          <span class="quiet small second-line">
            {formatUsd(low)} – {formatUsd(high)}
          </span>
        </>
      ),
    },
    {
      label: 'FSD',
      isNumber: true,
      sortBy: ({ fsd }) => fsd,
      cell: ({ fsd }) =>
        fsd !== null && fsd <= limit ? (
          formatPercent(fsd)
        ) : (
          <span class="wrong">
            {formatPercent(fsd)} <span class="second-line">above the limit</span>
          </span>
        ),
    },
    ...(hasLoans
      ? [
          numberColumn<Holding>('Balance', ({ balance }) => balance, formatUsd),
          numberColumn<Holding>('LTV', ({ ltv }) => ltv, formatPercent),
        ]
      : []),
    ...(hasAssessed
      ? [
          numberColumn<Holding>('Assessed', ({ assessed_value: usd }) => usd, formatUsd),
          {
            label: 'Difference',
            note: 'assessed minus value',
            isNumber: true,
            sortBy: ({ assessedDifference: by }: Holding) => by && Math.abs(by),
            cell: ({ assessedDifference: by }: Holding) =>
              by === null ? UNKNOWN : formatChangePct(100 * by),
          },
        ]
      : []),
    ...(hasLoans && hasRepeats
      ? [numberColumn<Holding>('Combined LTV', ({ combinedLtv }) => combinedLtv, formatPercent)]
      : []),
  ];
}
