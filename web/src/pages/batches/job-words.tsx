import { hasEnded, type Job } from '../../api/batches.ts';
import { Badge } from '../../parts/basics.tsx';
import { formatCount, formatMany } from '../../parts/format.ts';

export const KIND_WORDS = {
  property: 'Home values',
  rental: 'Rents',
  multifamily: 'Multifamily values',
} as const;

const ITEM_WORDS = { property: 'home', rental: 'rent', multifamily: 'building' } as const;

export const STATUS_WORDS = {
  queued: 'queued',
  processing: 'processing',
  complete: 'complete',
  failed: 'failed',
  cancelled: 'canceled',
} as const;

export function StatusBadge({ job }: { readonly job: Pick<Job, 'status' | 'failed'> }) {
  const { status, failed } = job;
  const kind = status === 'complete' ? (failed > 0 ? 'warn' : 'ok') : status === 'failed' ? 'error' : 'plain';
  return <Badge kind={kind}>{STATUS_WORDS[status]}</Badge>;
}

/** `3 failed, 185 canceled`. Empty where all were valued. */
export function failedWords(failed: number, cancelled: number | null): string {
  if (failed === 0) return '';
  if (cancelled === null) return `${formatCount(failed)} failed or canceled`;
  const others = failed - cancelled;
  return [
    others > 0 && `${formatCount(others)} failed`,
    cancelled > 0 && `${formatCount(cancelled)} canceled`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** For a button that retries them: `3 failed`, `185 canceled`. */
export function failedName(failed: number, cancelled: number): string {
  const name = cancelled === 0 ? 'failed' : cancelled === failed ? 'canceled' : 'not valued';
  return `${formatCount(failed)} ${name}`;
}

/** `200 homes`. */
export function jobSize({ avm_type, total }: Pick<Job, 'avm_type' | 'total'>): string {
  return formatMany(total, ITEM_WORDS[avm_type]);
}

/** `198 valued, 2 failed`; while it runs, `of 200` too. */
export function countsOf(
  job: Pick<Job, 'status' | 'completed' | 'failed' | 'total'>,
  /** How many of the failed ones were canceled; null if unknown. */
  cancelled: number | null = job.status === 'cancelled' ? null : 0,
): string {
  const words = failedWords(job.failed, cancelled);
  const failed = words && `, ${words}`;
  const total = hasEnded(job) ? '' : ` of ${formatCount(job.total)}`;
  return `${formatCount(job.completed)} valued${failed}${total}`;
}
