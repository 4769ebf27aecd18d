import type { Problem } from '../../api/problem.ts';
import { Button, Notice } from '../basics.tsx';
import { candidatesOf } from './candidates.ts';
import type { Place } from './location.ts';

/** Why an address was not found, with the locations that it may mean. */
export function AddressNotFound(props: {
  readonly problem: Problem;
  readonly onWhere: (where: Place) => void;
}) {
  const { problem, onWhere } = props;
  const candidates = candidatesOf(problem);
  const title = candidates.length > 0 ? 'Did you mean one of these addresses?' : 'Address not found';
  return (
    <Notice kind="warn" title={title}>
      <p>{problem.message}</p>
      {candidates.length > 0 && (
        <ul class="candidates" aria-label="Possible matches">
          {candidates.map(({ address, difference, latitude, longitude }) => (
            <li class="row" key={`${address} ${latitude} ${longitude}`}>
              {/* Only coordinates tell candidates with the same address apart. */}
              <Button
                isSmall
                onClick={() => onWhere(difference === null ? { address } : { latitude, longitude })}
              >
                {address}
              </Button>
              {difference && <span class="quiet small">{difference}</span>}
            </li>
          ))}
        </ul>
      )}
      <p class="small">
        Or click the location on the map. Parcel numbers are suggested while you type them.
        {candidates.length === 0 && (
          <>
            {' '}
            <a href="/console/markets">Markets</a> lists the places with loaded data.
          </>
        )}
      </p>
    </Notice>
  );
}
