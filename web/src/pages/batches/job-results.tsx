import {
  readFailures,
  readResultsPage,
  type BatchResult,
  type ConsoleJob,
  type Job,
} from '../../api/batches.ts';
import { useRequest } from '../../api/use-request.ts';
import { WhenLoaded } from '../../parts/basics.tsx';
import { formatCount, formatMany, formatPercent, formatUsd, UNKNOWN } from '../../parts/format.ts';
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
  numberColumn('Confidence', ({ data }) => data?.valuation.confidence_score),
  numberColumn('Within 10%', ({ data }) => data?.valuation.probability_within_10_pct, formatPercent),
  {
    label: 'Note',
    isText: true,
    cell: ({ data, error }) => {
      if (error !== null) return <span class="wrong">{error}</span>;
      return data?.valuation.warnings.map(({ message }) => message).join(' ');
    },
  },
];

/** What to do about a failure. The server's message says what is wrong. */
const ADVICE: Readonly<Record<string, string>> = {
  address_not_found: 'Correct these addresses, or give latitude and longitude.',
  outside_coverage: 'No market is loaded there. The Markets page shows what is covered.',
  insufficient_data:
    'Too few sales are known there, or no model is old enough for the as-of date. Use a later date.',
  record_incomplete: 'Give bedrooms and bathrooms in the file, or import parcels that have them.',
  cancelled: 'The job was canceled before these were valued. Retry to value them.',
  poison:
    'Valuing these ended the process each time. Report them, with their references, to the operator of the server.',
  unavailable: 'A part of the service was unavailable. Retry.',
  deadline_exceeded: 'The valuation took too long. Retry.',
  quota_exceeded: 'The credits of the month were used up. Retry when there are credits again.',
  internal_error: 'The service failed. Retry; if it fails again, report it.',
};

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
              <p>{ADVICE[code] ?? 'Retry.'}</p>
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
