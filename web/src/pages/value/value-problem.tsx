import type { Problem } from '../../api/problem.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Notice, ProblemNotice } from '../../parts/notice.tsx';
import type { Where } from '../../parts/map/where.ts';
import type { Kind } from './asked.ts';
import { candidatesOf, earliestDateIn } from './problem-ways.ts';

/** Why there is no value, and the way on: another address, another day, or what to load. */
export function ValueProblem(props: {
  readonly problem: Problem;
  readonly kind: Kind;
  readonly onWhere: (where: Where) => void;
  readonly onDate: (date: string) => void;
  readonly onRetry: () => void;
}) {
  const { problem, kind, onWhere, onDate, onRetry } = props;
  if (problem.code === 'address_not_found') {
    const candidates = candidatesOf(problem);
    return (
      <Notice kind="warn" title="This address is not known here">
        <p>{problem.message}</p>
        {candidates.length > 0 && (
          <div class="row candidates" role="group" aria-label="Addresses that may have been meant">
            {candidates.map((address) => (
              <Button key={address} isSmall onClick={() => onWhere({ address })}>
                {address}
              </Button>
            ))}
          </div>
        )}
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
    const earliest = earliestDateIn(problem.message);
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
