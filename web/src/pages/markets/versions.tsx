import type { MarketVersion } from '../../api/markets.ts';
import { formatCount, formatDay, formatMany, formatMoment, UNKNOWN } from '../../parts/format.ts';
import { Badge, EmptyState } from '../../parts/notice.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { DATA_KINDS, DATA_NAMES } from './words.ts';

/** Versions in force by kind; the others behind a fold. */
export function Versions({ versions }: { readonly versions: readonly MarketVersion[] }) {
  const inForce = DATA_KINDS.flatMap((kind) =>
    versions.filter((version) => version.kind === kind && version.state === 'in_force'),
  );
  const others = versions.filter(({ state }) => state !== 'in_force');
  return (
    <>
      {inForce.length === 0 ? (
        <EmptyState title="Nothing is in force yet." />
      ) : (
        <Table caption="Versions in force" columns={COLUMNS} rows={inForce} keyOf={({ id }) => String(id)} />
      )}
      {others.length > 0 && (
        <details class="fold">
          <summary>{formatMany(others.length, 'other version')}</summary>
          <Table
            caption="Other versions, newest first"
            columns={[...COLUMNS.slice(0, 1), STATE, ...COLUMNS.slice(1)]}
            rows={others}
            keyOf={({ id }) => String(id)}
          />
        </details>
      )}
    </>
  );
}

const STATE: Column<MarketVersion> = {
  name: 'state',
  label: 'State',
  cell: ({ state }) => {
    if (state === 'loading') return <Badge>loading</Badge>;
    return state === 'lost' ? <Badge kind="warn">abandoned</Badge> : <Badge>replaced</Badge>;
  },
};

const COLUMNS: readonly Column<MarketVersion>[] = [
  {
    name: 'kind',
    label: 'Data',
    isRowHeader: true,
    cell: ({ kind, id }) => (
      <>
        <span class="nowrap">{DATA_NAMES[kind]}</span>
        <div class="quiet small nowrap">version {id}</div>
      </>
    ),
  },
  { name: 'rows', label: 'Rows', isNumber: true, cell: ({ rows }) => formatCount(rows) },
  { name: 'source', label: 'Source', cell: (version) => <Source version={version} /> },
  {
    name: 'published',
    label: 'In force since',
    cell: ({ published_at }) => <span class="nowrap">{formatMoment(published_at)}</span>,
  },
  { name: 'report', label: 'Rows of the files', cell: (version) => <Report version={version} /> },
  {
    name: 'hash',
    label: 'Hash of the rows',
    cell: ({ hash }) => (hash ? <code title={hash}>{hash.slice(0, 12)}</code> : UNKNOWN),
  },
];

function Source({ version }: { readonly version: MarketVersion }) {
  const { source, license, retrieved_at, files } = version;
  return (
    <div class="source">
      {source ?? <span class="quiet">not named</span>}
      {license && <span class="quiet">, {license}</span>}
      {retrieved_at && <span class="quiet">, fetched {formatDay(retrieved_at)}</span>}
      {files.length > 0 && (
        <div class="quiet small break">
          {files.slice(0, 3).join(', ')}
          {files.length > 3 && ` and ${files.length - 3} more`}
        </div>
      )}
    </div>
  );
}

/** What became of the rows of the files: taken over, refused and why. */
function Report({ version }: { readonly version: MarketVersion }) {
  const { report, state } = version;
  if (!report) {
    return <span class="quiet">{state === 'loading' ? 'not yet known' : 'not kept'}</span>;
  }
  const reasons = [...reasonsOf(report.rejected, 'faulty'), ...reasonsOf(report.skipped, 'left out')];
  const count = (reasonCounts: Readonly<Record<string, number>>) =>
    Object.values(reasonCounts).reduce((sum, n) => sum + n, 0);
  return (
    <>
      {formatCount(report.rows_loaded)} of {formatCount(report.rows_read)} read
      {report.rows_repeated > 0 && `, ${formatCount(report.rows_repeated)} repeated`}
      {report.rows_kept > 0 && `, ${formatCount(report.rows_kept)} kept from before`}
      {reasons.length > 0 && (
        <details class="small">
          <summary>
            {formatCount(count(report.rejected))} faulty, {formatCount(count(report.skipped))} left out
          </summary>
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** `not_a_date` → `17 faulty: not a date` */
function reasonsOf(counts: Readonly<Record<string, number>>, what: string): string[] {
  return Object.entries(counts).map(
    ([reason, n]) => `${formatCount(n)} ${what}: ${reason.replaceAll('_', ' ')}`,
  );
}
