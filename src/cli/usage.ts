import { InvalidArgumentError, type Command } from 'commander';
import { planOf } from '../accounts/authenticate.ts';
import { anyAccountOf } from '../accounts/account-of.ts';
import { usageOf } from '../accounts/usage.ts';
import { usageResponse } from '../api/endpoints/usage-response.ts';
import { systemClock } from '../clock.ts';
import { billingPeriodAt, isBillingPeriod } from '../domain/billing-period.ts';
import { formatBytes } from '../domain/display-format.ts';
import { PlumblineError } from '../errors.ts';
import { toSnakeCase } from '../schemas/member-names.ts';
import { withStore } from './configured-store.ts';
import { ACCOUNT_OPTION, type AccountOption } from './options.ts';
import { printResult, tableText } from './print.ts';
import { readPlans } from './read-files.ts';

export function registerUsage(program: Command): void {
  program
    .command('usage')
    .option(...ACCOUNT_OPTION)
    .option('--period <YYYY-MM>', 'the month, in UTC (default: this month)', periodArgument)
    .action(usage);
}

function periodArgument(text: string): string {
  if (isBillingPeriod(text)) return text;
  throw new InvalidArgumentError('Write it as YYYY-MM.');
}

async function usage({ account, period, ...options }: AccountOption & { period?: string }): Promise<void> {
  const used = await withStore(async (store, config) => {
    const stored = await anyAccountOf(store, account);
    const { accountId, plan: name } = stored;
    const plans = readPlans(config);
    if (plans.has(name)) {
      const month = period ?? billingPeriodAt(systemClock().getTime());
      return usageOf(store, accountId, planOf(plans, stored), month);
    }
    throw new PlumblineError(
      'usage',
      `Account "${accountId}" is on the plan "${name}", which PLANS does not name.`,
    );
  });
  const left =
    used.creditsLimit === null ? 'no cap' : `${used.creditsRemaining} of ${used.creditsLimit} left`;
  const table = tableText([
    ['operation', 'requests', 'credits'],
    ...used.operations.map(({ operation, requests, credits }) => [operation, `${requests}`, `${credits}`]),
    ['all', `${used.requests}`, `${used.creditsUsed}`],
  ]);
  const limit = used.storedBytesLimit === null ? '' : ` of ${formatBytes(used.storedBytesLimit)}`;
  const kept = `${formatBytes(used.storedBytes)}${limit} of valuations and batches kept`;
  const summary = `${used.accountId}, plan ${used.plan}, ${used.period}: ${left}; ${kept}`;
  printResult(options, toSnakeCase(usageResponse(used)), `${table}\n${summary}`);
}
