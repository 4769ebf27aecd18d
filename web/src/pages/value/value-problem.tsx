import { useState } from 'preact/hooks';
import { requestTraining } from '../../api/markets.ts';
import { fieldError, type Problem } from '../../api/problem.ts';
import { useAction } from '../../api/use-request.ts';
import { Button, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { formatDay, withMarketNames, withReadableDates } from '../../parts/format.ts';
import { AddressNotFound } from '../../parts/map/address-not-found.tsx';
import type { Place } from '../../parts/map/location.ts';
import { useSession } from '../../shell/session-context.tsx';
import { earliestDateIn, todayOf, untrainedMarketIn } from './as-of-days.ts';
import type { Kind } from './value-request.ts';

/** Trains the models that values as of a date lack. */
function TrainAsOf(props: { readonly market: string; readonly date: string; readonly onRetry: () => void }) {
  const { market, date, onRetry } = props;
  const [isQueued, setQueued] = useState(false);
  const training = useAction(async () => {
    await requestTraining(market, date);
    setQueued(true);
  });
  if (!isQueued) {
    return (
      <>
        <Button isSmall busy={training.isBusy && 'Queuing …'} onClick={() => void training.run()}>
          Train as of {formatDay(date)}
        </Button>
        {training.problem && <ProblemNotice problem={training.problem} />}
      </>
    );
  }
  return (
    <>
      <span>
        The training is queued. <a href={`/console/markets/${market}`}>The market</a> shows its progress.
      </span>
      <Button isSmall onClick={onRetry}>
        Try again
      </Button>
    </>
  );
}

/** Why there is no value, and what to do: another address, another date, or data to load. */
export function ValueProblem(props: {
  readonly problem: Problem;
  readonly kind: Kind;
  /** The rejected as-of date; null = today. */
  readonly date: string | null;
  readonly onWhere: (where: Place) => void;
  readonly onDate: (date: string | null) => void;
  readonly onRetry: () => void;
}) {
  const { problem, kind, date, onWhere, onDate, onRetry } = props;
  const { session } = useSession();
  if (problem.code === 'address_not_found') return <AddressNotFound problem={problem} onWhere={onWhere} />;
  if (problem.code === 'outside_coverage') {
    return (
      <Notice kind="warn" title={`No ${kind === 'rent' ? 'listings' : 'sales'} are loaded here`}>
        <p>{problem.message}</p>
        {session.is_operator ? (
          <p>
            Load data under <a href="/console/import">Import</a>.
          </p>
        ) : (
          <p>Ask the operator of this installation to load data for this place.</p>
        )}
      </Notice>
    );
  }
  if (problem.code === 'insufficient_data') {
    const day = date ?? todayOf(new Date());
    const earliest = earliestDateIn(problem.message, day);
    const untrained = session.is_operator ? untrainedMarketIn(problem.message) : null;
    return (
      <Notice kind="warn" title="Not enough data">
        <p>{withMarketNames(withReadableDates(problem.message))}</p>
        <div class="row">
          {earliest && (
            <Button isSmall onClick={() => onDate(earliest)}>
              Value as of {formatDay(earliest)}
            </Button>
          )}
          {untrained && <TrainAsOf market={untrained} date={day} onRetry={onRetry} />}
        </div>
      </Notice>
    );
  }
  const dateError = fieldError(problem, 'search_params.date');
  if (dateError !== null) {
    return (
      <Notice kind="warn" title="No value as of this date">
        <p>The as-of date {dateError.replace(/\.$/, '')}.</p>
        <div class="row">
          <Button isSmall onClick={() => onDate(null)}>
            Value as of today
          </Button>
        </div>
      </Notice>
    );
  }
  return <ProblemNotice problem={problem} onRetry={onRetry} />;
}
