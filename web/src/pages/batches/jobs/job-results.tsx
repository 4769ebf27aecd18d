import { readResultsPage, type BatchResult as Result, type Job } from '../../../api/batches.ts';
import { formatCount, formatUsd, UNKNOWN } from '../../../parts/format.ts';
import { MoreButton, useList } from '../../../parts/more.tsx';
import { Table, type Column } from '../../../parts/table.tsx';

const PAGE = 50;

export function JobResults({ job }: { readonly job: Job }) {
  const list = useList(
    async (cursor, signal) => {
      const { results, next_cursor } = await readResultsPage(job.job_id, PAGE, cursor, signal);
      return { rows: results, nextCursor: next_cursor };
    },
    [job.job_id],
  );
  return (
    <div class="stack results">
      {list.rows.length > 0 && (
        <Table
          caption="Results, in the order of the batch"
          columns={job.avm_type === 'rental' ? RENT_COLUMNS : VALUE_COLUMNS}
          rows={list.rows}
          keyOf={({ index }) => String(index)}
        />
      )}
      {list.nextCursor !== null && (
        <p class="quiet small">
          {formatCount(list.rows.length)} of {formatCount(job.total)} are shown. The download has all of them.
        </p>
      )}
      <MoreButton list={list} waiting="Reading the results" />
    </div>
  );
}

const columnsWith = (value: string, low: string): readonly Column<Result>[] => [
  {
    name: 'reference',
    label: 'Reference',
    isRowHeader: true,
    cell: ({ property_id, index }) => property_id ?? `item ${index + 1}`,
  },
  { name: 'address', label: 'Address', cell: ({ data }) => data?.address_info.formatted_address ?? UNKNOWN },
  {
    name: 'value',
    label: value,
    isNumber: true,
    sortBy: ({ data }) => data?.valuation.estimated_value ?? null,
    cell: ({ data }) => formatUsd(data?.valuation.estimated_value),
  },
  {
    name: 'range',
    label: low,
    isNumber: true,
    cell: ({ data }) =>
      data === null
        ? UNKNOWN
        : `${formatUsd(data.valuation.estimated_value_low)} – ${formatUsd(data.valuation.estimated_value_high)}`,
  },
  {
    name: 'confidence',
    label: 'Confidence',
    isNumber: true,
    sortBy: ({ data }) => data?.valuation.confidence_score ?? null,
    cell: ({ data }) => formatCount(data?.valuation.confidence_score),
  },
  {
    name: 'note',
    label: 'Note',
    cell: ({ data, error }) =>
      error !== null ? (
        <span class="wrong">{error}</span>
      ) : (
        (data?.valuation.warnings.map(({ message }) => message).join(' ') ?? '')
      ),
  },
];

const VALUE_COLUMNS = columnsWith('Value', '90% prediction range');
const RENT_COLUMNS = columnsWith('Monthly rent', '90% prediction range');
