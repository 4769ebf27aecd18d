import {
  readFailures,
  readResultsPage,
  type BatchResult,
  type ConsoleJob,
  type Job,
} from '../../api/batches.ts';
import { useRequest } from '../../api/use-request.ts';
import { WhenLoaded } from '../../parts/basics.tsx';
import {
  formatCount,
  formatMany,
  formatPercent,
  formatUsd,
  UNKNOWN,
  withReadableDates,
} from '../../parts/format.ts';
import { failureWords } from './job-words.tsx';
import { ShowMore, useList } from '../../parts/row-pages.tsx';
import { numberColumn, Table, type Column } from '../../parts/table.tsx';

const PAGE_SIZE = 50;

export function JobResults({ job }: { readonly job: Job }) {
  const list = useList(
    async (cursor, signal) => {
      const query = { limit: PAGE_SIZE, cursor };
      const { results: rows, next_cursor } = await readResultsPage(job.job_id, query, signal);
      return { rows, next_cursor };
    },
    [job.job_id],
  );
  return (
    <div class="stack">
      {list.rows.length > 0 && (
        <Table
          caption="Results, in the order of the batch"
          columns={columnsOf(job.avm_type === 'rental' ? 'Monthly rent' : 'Value')}
          rows={list.rows}
          keyOf={({ index }) => index}
        />
      )}
      {list.nextCursor !== null && (
        <p class="quiet small">
          {formatCount(list.rows.length)} of {formatCount(job.total)} are shown. The download has all of them.
        </p>
      )}
      <ShowMore list={list} waiting="Loading the results" />
    </div>
  );
}

const columnsOf = (value: string): readonly Column<BatchResult>[] => [
  {
    label: 'Reference',
    isRowHeader: true,
    cell: ({ property_id, index }) => property_id ?? `item ${index + 1}`,
  },
  {
    label: 'Address',
    isText: true,
    cell: ({ data }) => data?.address_info.formatted_address ?? UNKNOWN,
  },
  numberColumn(value, ({ data }) => data?.valuation.estimated_value, formatUsd),
  {
    label: '90% prediction range',
    isNumber: true,
    cell: ({ data }) =>
      data === null
        ? UNKNOWN
        : `${formatUsd(data.valuation.estimated_value_low)} – ${formatUsd(data.valuation.estimated_value_high)}`,
  },
  numberColumn('Confidence score', ({ data }) => data?.valuation.confidence_score),
  numberColumn('Within 10%', ({ data }) => data?.valuation.probability_within_10_pct, formatPercent),
  {
    label: 'Note',
    isText: true,
    cell: ({ data, error }) => {
      if (error !== null) return <span class="wrong">{error}</span>;
      return data?.valuation.warnings.map(({ message }) => withReadableDates(message)).join(' ');
    },
  },
];

/** Why items failed, by cause. */
export function JobFailures({ job }: { readonly job: ConsoleJob }) {
  const failures = useRequest((signal) => readFailures(job.job_id, signal), [job.job_id]);
  return (
    <WhenLoaded of={failures} waiting="Loading the failures">
      {(groups) => (
        <ul class="cards">
          {groups.map(({ code, count, example, references }) => (
            <li class="card" key={code}>
              <strong>
                {formatMany(count, 'property', 'properties')} <code>{code}</code>
              </strong>
              <p>{failureWords(code).advice}</p>
              <p class="quiet small">First message: {example}</p>
              <p class="small">
                {references.join(', ')}
                {count > references.length && ` and ${formatCount(count - references.length)} more`}
              </p>
            </li>
          ))}
        </ul>
      )}
    </WhenLoaded>
  );
}
