import { instant } from '../domain/instant.ts';
import {
  countFailedDeliveries,
  countWaitingDeliveries,
  countWaitingJobs,
  type Waiting,
} from '../store/health.ts';
import { listPortfolios } from '../store/portfolios.ts';
import { listRuns } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { Advice, Finding } from './finding.ts';

/** Work that is served is claimed within seconds, or is in a queue that is longer than it should be. */
const LATE_AFTER_MS = 600_000;
const FAILED_WITHIN_MS = 86_400_000;

/** Jobs that wait, and runs that were killed. */
export async function checkQueue(store: Store): Promise<Finding[]> {
  const now = store.clock().getTime();
  const waiting = await countWaitingJobs(store, now - LATE_AFTER_MS);
  const lost = (await listRuns(store)).filter(({ isLost }) => isLost);
  return [
    ...lateFinding('queue', waiting, 'Jobs with items that', {
      where: 'the queue of jobs ("plumbline jobs")',
      remedy: 'Start "plumbline serve" or "plumbline work", or more of them.',
    }),
    ...lost.map(({ task, marketId, kind, beatAt }): Finding => {
      const name = kind === null ? task : `${task} of ${kind}`;
      return {
        check: 'queue',
        severity: 'warning',
        what: `An earlier ${name} was killed: its last sign of life is of ${instant(beatAt)}.`,
        where: `market ${marketId}`,
        remedy: 'Run it again. That removes what it left.',
      };
    }),
  ];
}

/** Webhooks that wait, and those that no receiver accepted. */
export async function checkWebhooks(store: Store): Promise<Finding[]> {
  const now = store.clock().getTime();
  const waiting = await countWaitingDeliveries(store, now - LATE_AFTER_MS);
  const failed = await countFailedDeliveries(store, now - FAILED_WITHIN_MS);
  const found = lateFinding('webhooks', waiting, 'Webhooks that', {
    where: 'the webhook deliveries',
    remedy: 'Start "plumbline serve": it sends them.',
  });
  if (failed === 0) return found;
  return [
    ...found,
    {
      check: 'webhooks',
      severity: 'warning',
      what: `Webhooks that failed for good in the last 24 hours: ${failed}.`,
      where: 'the webhook deliveries (state failed)',
      remedy: 'Ask their receivers, then send them again: POST /v1/webhooks/deliveries/{id}/redeliver',
    },
  ];
}

/** Portfolios whose run was due and could not begin. */
export async function checkPortfolios({ db }: Store): Promise<Finding[]> {
  const portfolios = await listPortfolios(db, null);
  return portfolios.flatMap(({ portfolioId, accountId, name, problem }): Finding[] =>
    problem === null
      ? []
      : [
          {
            check: 'portfolios',
            severity: 'warning',
            what: `A run of portfolio "${name}" was due and could not begin: ${problem}`,
            where: `portfolio ${portfolioId} of account ${accountId}`,
            remedy: 'Raise the limit of the account or its plan, or value the portfolio less often.',
          },
        ],
  );
}

function lateFinding(
  check: Finding['check'],
  { count, since }: Waiting,
  what: string,
  advice: Advice,
): Finding[] {
  if (since === null) return [];
  const text = `${what} have waited for more than 10 minutes: ${count}, the oldest since ${instant(since)}.`;
  return [{ check, severity: 'warning', what: text, ...advice }];
}
