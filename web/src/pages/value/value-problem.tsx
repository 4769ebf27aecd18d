import type { Problem } from '../../api/problem.ts';
import { Button } from '../../parts/button.tsx';
import { CandidateList } from '../../parts/candidate-list.tsx';
import { candidatesOf, isOfSeveral } from '../../parts/candidates.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Notice, ProblemNotice } from '../../parts/notice.tsx';
import type { Where } from '../../parts/map/where.ts';
import { todayOf } from './as-of-days.ts';
import type { Kind } from './asked.ts';
import { earliestDateIn } from './problem-ways.ts';

/** Why there is no value, and the way on: another address, another day, or what to load. */
export function ValueProblem(props: {
  readonly problem: Problem;
  readonly kind: Kind;
  /** The day that was refused; null = today. */
  readonly date: string | null;
  readonly onWhere: (where: Where) => void;
  readonly onDate: (date: string) => void;
  readonly onRetry: () => void;
}) {
  const { problem, kind, date, onWhere, onDate, onRetry } = props;
  if (problem.code === 'address_not_found') {
    const candidates = candidatesOf(problem);
    return (
      <Notice
        kind="warn"
        title={isOfSeveral(problem) ? 'This address fits several places' : 'This address is not known here'}
      >
        <p>{problem.message}</p>
        {candidates.length > 0 && <CandidateList candidates={candidates} onPoint={onWhere} />}
        <p class="small">Or click the place on the map.</p>
      </Notice>
    );
  }
  if (problem.code === 'outside_coverage') {
    return (
      <Notice
        kind="warn"
        title={kind === 'rent' ? 'No listings are loaded here' : 'No sales are loaded here'}
      >
        <p>{problem.message}</p>
        <p class="small">Whoever runs this installation loads more with the command line:</p>
        <CodeBlock
          text={`plumbline import ${kind === 'rent' ? 'rents' : 'sales'} --help`}
          what="the command"
        />
      </Notice>
    );
  }
  if (problem.code === 'insufficient_data') {
    const earliest = earliestDateIn(problem.message, date ?? todayOf(new Date()));
    return (
      <Notice kind="warn" title="Too little is known for that">
        <p>{problem.message}</p>
        {earliest && (
          <div class="row">
            <Button isSmall onClick={() => onDate(earliest)}>
              Value it as of {earliest}
            </Button>
          </div>
        )}
      </Notice>
    );
  }
  return <ProblemNotice problem={problem} onRetry={onRetry} />;
}
