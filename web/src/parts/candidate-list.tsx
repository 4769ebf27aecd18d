import { Button } from './button.tsx';
import type { Candidate } from './candidates.ts';
import type { Point } from './map/map-content.ts';

/** Places that may have been meant; each leads to its coordinates. */
export function CandidateList(props: {
  readonly candidates: readonly Candidate[];
  readonly onPoint: (point: Point) => void;
}) {
  const { candidates, onPoint } = props;
  return (
    <ul class="candidates" aria-label="Places that may have been meant">
      {candidates.map(({ address, apart, latitude, longitude }) => (
        <li key={`${address} ${latitude} ${longitude}`}>
          <Button isSmall onClick={() => onPoint({ latitude, longitude })}>
            {address}
          </Button>
          {apart && <span class="quiet small">{apart}</span>}
        </li>
      ))}
    </ul>
  );
}
