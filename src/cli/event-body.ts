import { writeCompletedEvent } from '../api/endpoints/batch-results.ts';
import { PlumblineError } from '../errors.ts';
import type { Job } from '../jobs/batches.ts';
import { readBatch, resultsPage } from '../jobs/read-batches.ts';
import type { OperationDeps } from '../operations/deps.ts';
import { TEST_SUBJECT } from '../store/deliveries.ts';
import type { BodyOf } from '../webhooks/attempt-delivery.ts';
import { testEventBody } from '../webhooks/test-event.ts';

type ReadDeps = Pick<OperationDeps, 'store' | 'clock'>;

/**
 * The body of a webhook delivery: a test message, or the job that is its subject. It is read again each time
 * it is signed or sent.
 */
export function eventBodyFrom(deps: ReadDeps): BodyOf {
  return async (delivery) => {
    if (delivery.subject === TEST_SUBJECT) return testEventBody(delivery);
    const { accountId, subject: jobId } = delivery;
    const job = await keptJob(deps, accountId, jobId);
    if (job === null) return null;
    return () => bytesOf(writeCompletedEvent(job, (page) => resultsPage(deps, accountId, jobId, page)));
  };
}

async function keptJob(deps: ReadDeps, accountId: string, jobId: string): Promise<Job | null> {
  try {
    return await readBatch(deps, accountId, jobId);
  } catch (error) {
    if (error instanceof PlumblineError && (error.code === 'gone' || error.code === 'not_found')) return null;
    throw error;
  }
}

async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}
