import { formatCount } from '../../../parts/format.ts';
import { Progress } from '../../../parts/progress.tsx';
import { failedWords } from './job-words.tsx';
import { useProgressWords } from './use-progress.ts';

/** A bar with what it means: `120 of 200 valued, 3 failed, 77 left; 40 a second, a few seconds to go`. */
export function BatchProgress(props: {
  readonly completed: number;
  readonly failed: number;
  /** Of these; null where nobody has counted them. */
  readonly cancelled: number | null;
  readonly total: number;
  readonly hasBegun: boolean;
}) {
  const { completed, failed, cancelled, total, hasBegun } = props;
  const done = completed + failed;
  const { pace, left } = useProgressWords(done, total);
  const failures = failed > 0 ? `, ${failedWords(failed, cancelled)}` : '';
  const words = `${formatCount(completed)} of ${formatCount(total)} valued${failures}, ${formatCount(total - done)} left`;
  const note = [pace, left && `${left} to go`].filter(Boolean).join(', ');
  return (
    <Progress
      label={hasBegun ? words : 'Waiting for its turn …'}
      value={done}
      max={total}
      note={note || undefined}
    />
  );
}
