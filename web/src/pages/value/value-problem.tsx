import { fieldError, type Problem } from '../../api/problem.ts';
import { Button, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { formatDay } from '../../parts/format.ts';
import { AddressNotFound } from '../../parts/map/address-not-found.tsx';
import type { Place } from '../../parts/map/location.ts';
import { useSession } from '../../shell/session-context.tsx';
import { earliestDateIn, todayOf } from './as-of-days.ts';
import type { Kind } from './value-request.ts';

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
          <>
            <p>
              Load data under <a href="/console/import">Import</a>, or with the command line:
            </p>
            <CodeBlock
              text={`plumbline import ${kind === 'rent' ? 'rents' : 'sales'} --help`}
              what="the command"
            />
          </>
        ) : (
          <p>Ask the operator of this installation to load data for this place.</p>
        )}
      </Notice>
    );
  }
  if (problem.code === 'insufficient_data') {
    const earliest = earliestDateIn(problem.message, date ?? todayOf(new Date()));
    return (
      <Notice kind="warn" title="Not enough data">
        <p>{problem.message}</p>
        {earliest && (
          <div class="row">
            <Button isSmall onClick={() => onDate(earliest)}>
              Value as of {formatDay(earliest)}
            </Button>
          </div>
        )}
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
