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

/** What happened, and what to do about it. The server's message has the details. */
const FAILURES: Readonly<Record<string, { readonly title: string; readonly advice: string }>> = {
  address_not_found: {
    title: 'Address not found',
    advice: 'Correct these addresses in the file, or add columns with latitude and longitude.',
  },
  outside_coverage: {
    title: 'Outside all markets',
    advice: 'No market is loaded there. The Markets page shows what is covered.',
  },
  insufficient_data: {
    title: 'Too few sales, or no model for the date',
    advice: 'Too few sales are known there, or no model is old enough for the as-of date. Use a later date.',
  },
  record_incomplete: {
    title: 'Bedrooms or bathrooms not recorded',
    advice: 'Add columns with bedrooms and bathrooms to the file, or import parcels that have them.',
  },
  cancelled: {
    title: 'Canceled',
    advice: 'The job was canceled before these were valued. Retry to value them.',
  },
  poison: {
    title: 'Processing failed repeatedly',
    advice:
      'Valuing these ended the process each time. Report them, with their references, to the operator of the server.',
  },
  unavailable: { title: 'Service unavailable', advice: 'A part of the service was unavailable. Retry.' },
  deadline_exceeded: { title: 'Took too long', advice: 'The valuation took too long. Retry.' },
  quota_exceeded: {
    title: 'No credits left',
    advice: 'The credits of the month were used up. Retry when there are credits again.',
  },
  internal_error: {
    title: 'Service error',
    advice: 'The service failed. Retry; if it fails again, report it.',
  },
};

export function failureWords(code: string): { readonly title: string; readonly advice: string } {
  return FAILURES[code] ?? { title: code, advice: 'Retry.' };
}

/** `rows 19, 22 and 4 more`, of `count` rows */
export function listRows(rows: readonly (number | string)[], count: number): string {
  const more = count - rows.length;
  return `${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}
