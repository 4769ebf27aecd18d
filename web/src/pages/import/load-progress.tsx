import { readImport, rejectedRowsOf, type ImportState } from '../../api/imports.ts';
import { usePolled } from '../../api/use-request.ts';
import { Button, Notice, Progress, WhenLoaded } from '../../parts/basics.tsx';
import { formatCount, formatPercent, withReadableDates } from '../../parts/format.ts';
import { Facts, Section } from '../../parts/page.tsx';
import { KIND_WORDS } from '../batches/job-words.tsx';
import { FLAG_NAMES } from '../markets/flag-words.ts';

const POLL_MS = 1000;

function hasEnded(state: ImportState | null): boolean {
  return state?.status === 'complete' || state?.status === 'failed';
}

/** The progress of loading and training, and then what was loaded and how to use it. */
export function LoadProgress({ id, onCorrect }: { readonly id: string; readonly onCorrect: () => void }) {
  const asked = usePolled(
    (signal) => readImport(id, signal),
    (state) => (hasEnded(state) ? null : POLL_MS),
    [id],
  );
  return (
    <WhenLoaded of={asked} waiting="Loading the import">
      {(state) => {
        if (state.status === 'failed') return <Failed state={state} onCorrect={onCorrect} />;
        return state.status === 'complete' ? <Loaded state={state} /> : <Running state={state} />;
      }}
    </WhenLoaded>
  );
}

function Running({
  state: { name, market_id: market, status, step, share },
}: {
  readonly state: ImportState;
}) {
  return (
    <Section title={`Loading ${name} into ${market}`} lead="You may leave this page. The import goes on.">
      <Progress
        label={
          status === 'queued'
            ? 'Waiting for a free process …'
            : `${step ?? 'Starting'}${share === null ? ' …' : `, ${formatPercent(share, 0)} of this step`}`
        }
        {...(share === null ? {} : { value: share })}
      />
    </Section>
  );
}

function Failed(props: { readonly state: ImportState; readonly onCorrect: () => void }) {
  const { id, name, failure, report, has_rejected_rows: hasList } = props.state;
  const blocking = report?.findings.filter(({ is_blocking: isBlocking }) => isBlocking) ?? [];
  return (
    <Section title={`${name} was not loaded`}>
      <div class="stack">
        <Notice kind="error" title="Nothing was loaded.">
          {blocking.length === 0 ? (
            <p>{failure}</p>
          ) : (
            <ul>
              {blocking.map(({ check, message, remedy }) => (
                <li key={`${check} ${message}`}>
                  {message} {remedy}
                </li>
              ))}
            </ul>
          )}
        </Notice>
        {hasList && <RejectedRows id={id} />}
        <div>
          <Button kind="primary" onClick={props.onCorrect}>
            Change and load again
          </Button>
        </div>
      </div>
    </Section>
  );
}

function RejectedRows({ id }: { readonly id: string }) {
  return (
    <p>
      <a href={rejectedRowsOf(id)} download>
        Download the list of the rows that were left out
      </a>
    </p>
  );
}

function Loaded({ state }: { readonly state: ImportState }) {
  const { id, name, kind, market_id: market, report, training, home, has_rejected_rows: hasList } = state;
  const rows = kind === 'index' ? 'figures' : kind;
  const isTrained = training !== null && training.models.length > 0;
  return (
    <>
      <Section title={report?.is_unchanged ? 'Nothing new' : `${name} is loaded`}>
        <div class="stack">
          {report && (
            <Facts
              facts={[
                ['Market', <a href={`/console/markets/${market}`}>{market}</a>],
                [
                  `Loaded ${rows}`,
                  `${formatCount(report.rows_loaded)} of ${formatCount(report.rows_read)} rows`,
                ],
                [`All ${rows} of the market`, formatCount(report.rows_total)],
                ['Repeat another row', report.rows_repeated > 0 ? formatCount(report.rows_repeated) : null],
                ['Left out', countsText({ ...report.rejected, ...report.skipped })],
                ['Kept, but not used for values', countsText(report.flagged, FLAG_NAMES)],
                ['Features', report.features.join(', ') || null],
                ['Columns not used', unusedText(report)],
              ]}
            />
          )}
          {hasList && <RejectedRows id={id} />}
        </div>
      </Section>
      {training && (
        <Section title={isTrained ? 'The market is trained' : 'The market was not trained'}>
          <div class="stack">
            {training.failure && (
              <Notice kind="warn">
                <p>{training.failure}</p>
              </Notice>
            )}
            <ul>
              {training.models.map(({ kind: model, accuracy }) => (
                <li key={model}>
                  {KIND_WORDS[model]}: {accuracy}
                </li>
              ))}
              {training.untrained.map(({ kind: model, reason }) => (
                <li key={model}>
                  No {KIND_WORDS[model].toLowerCase()}: {reason}
                </li>
              ))}
              {training.notes.map((note) => (
                <li key={note}>{withReadableDates(note)}</li>
              ))}
            </ul>
          </div>
        </Section>
      )}
      <Section title="Next">
        <div class="row">
          {isTrained && home && (
            <a
              class="button primary"
              href={`/console/value?latitude=${home.latitude}&longitude=${home.longitude}${kind === 'rents' ? '&kind=rent' : ''}`}
            >
              Value a home of this market
            </a>
          )}
          <a class="button" href={`/console/markets/${market}`}>
            Open the market
          </a>
          <a class="button" href={`/console/import?${new URLSearchParams({ market: market ?? '' })}`}>
            Import another file
          </a>
        </div>
      </Section>
    </>
  );
}

/** `notes (free text), id2 (an identifier)`; null for none. */
function unusedText(report: NonNullable<ImportState['report']>): string | null {
  const reasons = new Map(report.no_features.map(({ name, reason }) => [name, reason]));
  const names = report.unread_columns.map((name) => {
    return reasons.has(name) ? `${name} (${reasons.get(name)})` : name;
  });
  return names.join(', ') || null;
}

/** `2 not a number, 3 swapped coordinates`; null for none. */
function countsText(
  counts: Readonly<Record<string, number>>,
  names: Readonly<Record<string, string>> = {},
): string | null {
  const parts = Object.entries(counts).map(
    ([name, n]) => `${formatCount(n)} ${(names[name] ?? name.replaceAll('_', ' ')).toLowerCase()}`,
  );
  return parts.join(', ') || null;
}
