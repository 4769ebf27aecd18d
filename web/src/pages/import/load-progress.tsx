import { marketName } from '../../../../src/domain/market-name.ts';
import { useState } from 'preact/hooks';
import { rejectedRowsOf, type ImportState } from '../../api/imports.ts';
import { requestTraining } from '../../api/markets.ts';
import { useAction } from '../../api/use-request.ts';
import { Button, Notice, ProblemNotice, Progress } from '../../parts/basics.tsx';
import { formatCount, formatPercent, withReadableDates } from '../../parts/format.ts';
import { Facts, Section } from '../../parts/page.tsx';
import { KIND_WORDS } from '../batches/job-words.tsx';
import { FLAG_NAMES } from '../markets/flag-words.ts';
import { readableMessage } from '../value/fields.ts';
import { isTrainedOn } from './load-files.tsx';
import { trainingTitle } from './training-title.ts';

/** The current step of a file that is being loaded. */
export function LoadProgress({ state: { status, step, share } }: { readonly state: ImportState }) {
  return (
    <Progress
      label={
        status === 'queued'
          ? 'Waiting for a free process …'
          : `${step ?? 'Starting'}${share === null ? ' …' : `, ${formatPercent(share, 0)} of this step`}`
      }
      {...(share === null ? {} : { value: share })}
    />
  );
}

/** Why a file was not loaded. */
export function LoadFailure({
  state: { id, name, failure, report, has_rejected_rows: hasList },
}: {
  readonly state: ImportState;
}) {
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
                <li key={`${check} ${message}`}>{readableMessage(`${message} ${remedy}`)}</li>
              ))}
            </ul>
          )}
          <p>Change what is wrong below, and load it again.</p>
        </Notice>
        {hasList && <RejectedRows id={id} />}
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

/** What was loaded of a file. */
export function LoadReport({ state }: { readonly state: ImportState }) {
  const { id, name, kind, market_id: market, report, has_rejected_rows: hasList } = state;
  const rows = kind === 'index' ? 'figures' : kind;
  return (
    <Section title={report?.is_unchanged ? 'Nothing new' : `${name} is loaded`}>
      <div class="stack">
        {report && (
          <Facts
            facts={[
              ['Market', <a href={`/console/markets/${market}`}>{marketName(market ?? '')}</a>],
              [
                `Loaded ${rows}`,
                `${formatCount(report.rows_loaded)} of ${formatCount(report.rows_read)} rows`,
              ],
              [`All ${rows} of the market`, formatCount(report.rows_total)],
              ['Repeat another row', report.rows_repeated > 0 ? formatCount(report.rows_repeated) : null],
              ['Left out', countsText({ ...report.rejected, ...report.skipped })],
              ['Kept, but not used for values', countsText(report.flagged, FLAG_NAMES)],
              ['Columns kept as features', report.features.join(', ') || null],
              ['Columns not used', unusedText(report)],
            ]}
          />
        )}
        {hasList && <RejectedRows id={id} />}
        {kind === 'sales' && Object.keys(report?.flagged ?? {}).length > 0 && (
          <p>
            <a href={`/console/markets/${market}/sales`}>Review the sales that are not used</a>
          </p>
        )}
      </div>
    </Section>
  );
}

/** The training after the last file, or the offer to train; then how to use what was loaded. */
export function AfterLoading({ states }: { readonly states: readonly ImportState[] }) {
  const market = states.at(0)?.market_id ?? '';
  const trained = states.find(({ training }) => training !== null);
  const isTrained = (trained?.training?.models.length ?? 0) > 0;
  return (
    <>
      {trained?.training && <Trained training={trained.training} />}
      {!trained && states.some(({ kind }) => isTrainedOn(kind)) && <OfferTraining market={market} />}
      <Section title="Next">
        <div class="row">
          {isTrained && trained?.home && (
            <a
              class="button primary"
              href={`/console/value?latitude=${trained.home.latitude}&longitude=${trained.home.longitude}${trained.kind === 'rents' ? '&kind=rent' : ''}`}
            >
              Value a home of this market
            </a>
          )}
          <a class="button" href={`/console/markets/${market}`}>
            Open the market
          </a>
          <a class="button" href={`/console/import?${new URLSearchParams({ market })}`}>
            Import other files
          </a>
        </div>
      </Section>
    </>
  );
}

const HOLDOUT =
  'The accuracy is measured on the newest rows, without learning from them (holdout). Half of the values miss by less than the median error.';

function Trained({ training }: { readonly training: NonNullable<ImportState['training']> }) {
  return (
    <Section
      title={trainingTitle(training.models)}
      lead={training.models.some(({ accuracy }) => accuracy.startsWith('Median error')) && HOLDOUT}
    >
      <div class="stack">
        {training.failure && (
          <Notice kind="warn">
            <p>{training.failure}</p>
          </Notice>
        )}
        <ul>
          {training.models.map(({ kind: model, accuracy }) => (
            <li key={model}>
              {KIND_WORDS[model]}: {withReadableDates(accuracy)}
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
  );
}

function OfferTraining({ market }: { readonly market: string }) {
  const [isQueued, setQueued] = useState(false);
  const training = useAction(async () => {
    await requestTraining(market);
    setQueued(true);
  });
  return (
    <Section
      title="Training"
      lead="Values come from the newest training, which does not have these rows yet."
    >
      {training.problem && <ProblemNotice problem={training.problem} />}
      {isQueued ? (
        <p>
          The training is queued. <a href={`/console/markets/${market}`}>The market</a> shows its progress.
        </p>
      ) : (
        <div>
          <Button kind="primary" busy={training.isBusy && 'Starting …'} onClick={() => void training.run()}>
            Train the market
          </Button>
        </div>
      )}
    </Section>
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

/** `Swapped coordinates (3), not a number (2)`; null for none. */
function countsText(
  counts: Readonly<Record<string, number>>,
  names: Readonly<Record<string, string>> = {},
): string | null {
  const parts = Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => `${(names[name] ?? name.replaceAll('_', ' ')).toLowerCase()} (${formatCount(n)})`);
  const text = parts.join(', ');
  return text === '' ? null : text[0].toUpperCase() + text.slice(1);
}
