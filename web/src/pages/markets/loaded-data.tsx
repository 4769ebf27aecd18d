import type { MarketVersion } from '../../api/markets.ts';
import { Badge, EmptyState } from '../../parts/basics.tsx';
import { formatCount, formatDay, formatMany, formatMoment, UNKNOWN } from '../../parts/format.ts';
import { Table, type Column } from '../../parts/table.tsx';
import { DATA, DATA_KINDS } from './words.ts';

/** Active dataset versions by kind. The others are folded. */
export function Versions({ versions }: { readonly versions: readonly MarketVersion[] }) {
  const active = DATA_KINDS.flatMap((kind) =>
    versions.filter((version) => version.kind === kind && version.state === 'active'),
  );
  const others = versions.filter(({ state }) => state !== 'active');
  return (
    <>
      {active.length === 0 ? (
        <EmptyState title="No active data yet" />
      ) : (
        <Table caption="Active versions" columns={VERSION_COLUMNS} rows={active} keyOf={({ id }) => id} />
      )}
      {others.length > 0 && (
        <details class="fold">
          <summary>{formatMany(others.length, 'other version')}</summary>
          <Table
            caption="Other versions, newest first"
            columns={VERSION_COLUMNS.toSpliced(1, 0, STATUS)}
            rows={others}
            keyOf={({ id }) => id}
          />
        </details>
      )}
    </>
  );
}

const STATUS: Column<MarketVersion> = {
  label: 'Status',
  cell: ({ state }) => {
    if (state === 'loading') return <Badge>loading</Badge>;
    return state === 'lost' ? <Badge kind="warn">abandoned</Badge> : <Badge>replaced</Badge>;
  },
};

const VERSION_COLUMNS: readonly Column<MarketVersion>[] = [
  {
    label: 'Data',
    isRowHeader: true,
    cell: ({ kind, id }) => (
      <>
        <span class="nowrap">{DATA[kind].name}</span>
        <div class="quiet small nowrap">version {id}</div>
      </>
    ),
  },
  { label: 'Rows', isNumber: true, cell: ({ rows }) => formatCount(rows) },
  { label: 'Source', isText: true, cell: (version) => <Source version={version} /> },
  {
    label: 'Active since',
    cell: ({ published_at }) => <span class="nowrap">{formatMoment(published_at)}</span>,
  },
  { label: 'Import report', cell: (version) => <Report version={version} /> },
  {
    label: 'Hash of the rows',
    cell: ({ hash }) => (hash ? <code title={hash}>{hash.slice(0, 12)}</code> : UNKNOWN),
  },
];

const FILES_SHOWN = 3;

function Source({ version }: { readonly version: MarketVersion }) {
  const { source, license, retrieved_at, files } = version;
  const more = files.length - FILES_SHOWN;
  return (
    <>
      {source ?? <span class="quiet">not named</span>}
      {license && <span class="quiet">, {license}</span>}
      {retrieved_at && <span class="quiet">, retrieved {formatDay(retrieved_at)}</span>}
      {files.length > 0 && (
        <div class="quiet small breaks">
          {files.slice(0, FILES_SHOWN).join(', ')}
          {more > 0 && ` and ${more} more`}
        </div>
      )}
    </>
  );
}

/** How many rows of the files were loaded, and why the others were not. */
function Report({ version }: { readonly version: MarketVersion }) {
  const { report, state } = version;
  if (!report) return <span class="quiet">{state === 'loading' ? 'not known yet' : 'not kept'}</span>;
  const { rejected, skipped, flagged, rows_loaded, rows_read, rows_repeated, rows_kept } = report;
  const reasons = [
    ...reasonsOf(rejected, 'rejected'),
    ...reasonsOf(skipped, 'skipped'),
    ...reasonsOf(flagged, 'flagged'),
  ];
  return (
    <>
      {formatCount(rows_loaded)} of {formatCount(rows_read)} loaded
      {rows_repeated > 0 && `, ${formatCount(rows_repeated)} repeated`}
      {rows_kept > 0 && `, ${formatCount(rows_kept)} kept from the version before`}
      {reasons.length > 0 && (
        <details class="small">
          <summary>
            {formatCount(sumOf(rejected))} rejected, {formatCount(sumOf(skipped))} skipped,{' '}
            {formatCount(sumOf(flagged))} flagged
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

type Counts = Readonly<Record<string, number>>;

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0);
}

/** `not_a_date` → `17 rejected: not a date` */
function reasonsOf(counts: Counts, what: string): string[] {
  return Object.entries(counts).map(
    ([reason, n]) => `${formatCount(n)} ${what}: ${reason.replaceAll('_', ' ')}`,
  );
}
