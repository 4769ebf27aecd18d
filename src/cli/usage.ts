import type { Command } from 'commander';
import { accountOf } from '../accounts/manage-accounts.ts';
import { usageOf } from '../accounts/usage.ts';
import { usageResponse } from '../api/endpoints/service.ts';
import { systemClock } from '../clock.ts';
import { billingPeriodAt, isBillingPeriod } from '../domain/billing-period.ts';
import { PlumblineError } from '../errors.ts';
import { toSnakeCase } from '../schemas/member-names.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { withStore } from './compose.ts';
import { printJson, printLine, printTable } from './print.ts';
import { readPlans } from './read-plans.ts';

interface UsageOptions {
  readonly account: string;
  readonly period?: string;
  readonly json?: boolean;
}

export function registerUsage(program: Command): void {
  program
    .command('usage')
    .description('show the requests and credits of an account in a month')
    .option('--account <id>', 'whose', DEFAULT_ACCOUNT_ID)
    .option('--period <YYYY-MM>', 'the month, in UTC; this one where left out')
    .option('--json', 'print JSON: what GET /v1/usage answers')
    .action((options: UsageOptions) => usage(options));
}

async function usage({
  account,
  period = billingPeriodAt(systemClock().getTime()),
  json,
}: UsageOptions): Promise<void> {
  if (!isBillingPeriod(period)) {
    throw new PlumblineError('usage', `--period is "${period}"; write it as YYYY-MM.`);
  }
  const used = await withStore(async (store, config) => {
    const { accountId, plan: name } = await accountOf(store, account);
    const plan = readPlans(config).get(name);
    if (plan) return usageOf(store, accountId, plan, period);
    throw new PlumblineError(
      'usage',
      `Account "${accountId}" is on the plan "${name}", which PLANS does not name.`,
    );
  });
  if (json) return printJson(toSnakeCase(usageResponse(used)));
  printTable([
    ['operation', 'requests', 'credits'],
    ...used.operations.map(({ operation, requests, credits }) => [operation, `${requests}`, `${credits}`]),
    ['all', `${used.requests}`, `${used.creditsUsed}`],
  ]);
  const left =
    used.creditsLimit === null ? 'no cap' : `${used.creditsRemaining} of ${used.creditsLimit} left`;
  printLine(`${used.accountId}, plan ${used.plan}, ${used.period}: ${left}`);
}
