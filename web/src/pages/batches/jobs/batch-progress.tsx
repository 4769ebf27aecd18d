import { formatCount } from '../../../parts/format.ts';
import { Progress } from '../../../parts/progress.tsx';
import { failedWords } from './job-words.tsx';
import { useProgressWords } from './use-progress.ts';

/** A bar with words: `120 of 200 valued, 3 failed, 77 left; 40 per second, a few seconds left`. */
export function BatchProgress(props: {
  readonly completed: number;
  readonly failed: number;
  /** Of these. */
  readonly cancelled: number;
  readonly total: number;
  readonly hasBegun: boolean;
}) {
  const { completed, failed, cancelled, total, hasBegun } = props;
  const done = completed + failed;
  const { pace, left } = useProgressWords(done, total);
  const failures = failed > 0 ? `, ${failedWords(failed, cancelled)}` : '';
  const words = `${formatCount(completed)} of ${formatCount(total)} valued${failures}, ${formatCount(total - done)} left`;
  const note = [pace, left && `${left} left`].filter(Boolean).join(', ');
  return <Progress label={hasBegun ? words : 'Queued …'} value={done} max={total} note={note || undefined} />;
}
