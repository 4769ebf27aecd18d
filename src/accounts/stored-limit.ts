import { PlumblineError } from '../errors.ts';
import { readStoredBytes } from '../store/stored-bytes.ts';
import type { Reader } from '../store/store.ts';
import type { Plan } from './plans.ts';

export const BYTES_PER_MB = 1e6;
/** Room is made by the retention of valuations, day by day, or by the operator. */
const RETRY_SECONDS = 3600;

/** Whether an operation records valuations, which the account then keeps. */
export function recordsValuations(operation: string): boolean {
  return operation.startsWith('avm:') || operation === 'comprehensive';
}

/**
 * Rejects what would add to the valuations and batches of an account that keeps as much as its plan allows. What is running
 * then still ends, so that an account can exceed its limit by its open batches.
 *
 * @throws PlumblineError `quota_exceeded`
 */
export async function rejectOverStorage(
  db: Reader,
  { accountId, plan }: { readonly accountId: string; readonly plan: Pick<Plan, 'storedMb'> },
): Promise<void> {
  const { storedMb } = plan;
  if (storedMb === null) return;
  const bytes = await readStoredBytes(db, accountId);
  if (bytes < storedMb * BYTES_PER_MB) return;
  throw new PlumblineError(
    'quota_exceeded',
    `This account keeps ${Math.round(bytes / BYTES_PER_MB)} MB of valuations and batches, and its plan allows ${storedMb} MB. ` +
      'Ask the operator to raise the limit, or to delete valuations earlier (RETAIN_VALUATIONS_DAYS).',
    { members: { retry_after: RETRY_SECONDS } },
  );
}
