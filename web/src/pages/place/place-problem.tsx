import type { Problem } from '../../api/problem.ts';
import { Button } from '../../parts/button.tsx';
import type { Where } from '../../parts/map/where.ts';
import { ProblemNotice } from '../../parts/notice.tsx';

/** Why no place was found, with those that may have been meant. */
export function PlaceProblem(props: {
  readonly problem: Problem;
  readonly onWhere: (where: Where) => void;
  readonly onRetry: () => void;
}) {
  const { problem, onWhere, onRetry } = props;
  const candidates = candidatesOf(problem.members.candidates);
  if (problem.code !== 'address_not_found') return <ProblemNotice problem={problem} onRetry={onRetry} />;
  return (
    <>
      <ProblemNotice problem={problem} />
      {candidates.length > 0 && (
        <div class="place-candidates">
          <h2>Was one of these meant?</h2>
          <ul>
            {candidates.map((address) => (
              <li key={address}>
                <Button onClick={() => onWhere({ address })}>{address}</Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function candidatesOf(given: unknown): string[] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((one: unknown) => {
    const address: unknown =
      typeof one === 'object' && one !== null ? Reflect.get(one, 'formatted_address') : null;
    return typeof address === 'string' ? [address] : [];
  });
}
