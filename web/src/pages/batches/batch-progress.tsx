import { useRef } from 'preact/hooks';
import { Progress } from '../../parts/basics.tsx';
import { formatCount } from '../../parts/format.ts';
import { failedWords } from './job-words.tsx';
import { paceOf, timeLeft, withSample, type Sample } from './pace.ts';

/** A bar with words: `120 of 200 valued, 3 failed, 77 left; 40 per second, a few seconds left`. */
export function BatchProgress(props: {
  readonly of: {
    readonly completed: number;
    readonly failed: number;
    /** Of the failed ones. */
    readonly cancelled: number;
    readonly total: number;
  };
  readonly isQueued: boolean;
}) {
  const { completed, failed, cancelled, total } = props.of;
  const done = completed + failed;
  const pace = usePace(done);
  const failures = failed > 0 ? `, ${failedWords(failed, cancelled)}` : '';
  const words = `${formatCount(completed)} of ${formatCount(total)} valued${failures}, ${formatCount(total - done)} left`;
  const left = timeLeft(total - done, pace);
  const perSecond = pace !== null && `${formatCount(pace >= 10 ? Math.round(pace) : pace)} per second`;
  return (
    <Progress
      label={props.isQueued ? 'Queued …' : words}
      value={done}
      max={total}
      note={[perSecond, left && `${left} left`].filter(Boolean).join(', ')}
    />
  );
}

/** Items per second so far; null until it is known. */
function usePace(done: number): number | null {
  const samples = useRef<readonly Sample[]>([]);
  const last = samples.current.at(-1);
  if (last === undefined || last.done !== done || performance.now() - last.atMs > 1000) {
    samples.current = withSample(samples.current, { atMs: performance.now(), done });
  }
  return paceOf(samples.current);
}
