import type { Problem } from '../../api/problem.ts';
import { CandidateList } from '../../parts/candidate-list.tsx';
import { candidatesOf, isOfSeveral } from '../../parts/candidates.ts';
import type { Where } from '../../parts/map/where.ts';
import { ProblemNotice } from '../../parts/notice.tsx';

/** Why no place was found, with those that may have been meant. */
export function PlaceProblem(props: {
  readonly problem: Problem;
  readonly onWhere: (where: Where) => void;
  readonly onRetry: () => void;
}) {
  const { problem, onWhere, onRetry } = props;
  const candidates = candidatesOf(problem);
  if (problem.code !== 'address_not_found') return <ProblemNotice problem={problem} onRetry={onRetry} />;
  return (
    <>
      <ProblemNotice problem={problem} />
      {candidates.length > 0 && (
        <>
          <h2>{isOfSeveral(problem) ? 'Which one is meant?' : 'Was one of these meant?'}</h2>
          <CandidateList candidates={candidates} onPoint={onWhere} />
        </>
      )}
    </>
  );
}
