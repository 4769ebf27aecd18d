import { hasEnded, type Job } from '../../../api/batches.ts';
import { formatCount } from '../../../parts/format.ts';
import { Badge } from '../../../parts/notice.tsx';

export const KIND_WORDS = { property: 'Homes', rental: 'Rents', multifamily: 'Buildings' } as const;

const STATUS_WORDS = {
  queued: 'waiting',
  processing: 'at work',
  complete: 'done',
  failed: 'could not run',
  cancelled: 'cancelled',
} as const;

export function StatusBadge({ job }: { readonly job: Pick<Job, 'status' | 'failed'> }) {
  const { status, failed } = job;
  const kind = status === 'complete' ? (failed > 0 ? 'warn' : 'ok') : status === 'failed' ? 'error' : 'plain';
  return <Badge kind={kind}>{STATUS_WORDS[status]}</Badge>;
}

/** `198 valued, 2 failed`; while it runs, `of 200` too. */
export function countsOf(job: Pick<Job, 'status' | 'completed' | 'failed' | 'total'>): string {
  const failed = job.failed > 0 ? `, ${formatCount(job.failed)} failed` : '';
  const total = hasEnded(job) ? '' : ` of ${formatCount(job.total)}`;
  return `${formatCount(job.completed)} valued${failed}${total}`;
}
