import type { Command } from 'commander';
import { registerAccounts } from './accounts.ts';
import { registerAccuracy } from './accuracy.ts';
import { registerBacktest } from './backtest.ts';
import { registerDemo } from './demo.ts';
import { registerFetch } from './fetch.ts';
import { registerImport } from './import.ts';
import { registerJobs } from './jobs.ts';
import { registerKeys } from './keys.ts';
import { registerMarkets } from './markets.ts';
import { registerOpenApi } from './openapi.ts';
import { registerServe } from './serve.ts';
import { registerTrain } from './train.ts';
import { registerUsage } from './usage.ts';
import { registerValue } from './value.ts';
import { registerWebhooks } from './webhooks.ts';
import { registerWork } from './work.ts';

/** Every command, in the order in which a newcomer needs them. */
export function registerCommands(program: Command): void {
  registerDemo(program);
  registerImport(program);
  registerFetch(program);
  registerTrain(program);
  registerBacktest(program);
  registerAccuracy(program);
  registerMarkets(program);
  registerValue(program);
  registerAccounts(program);
  registerKeys(program);
  registerUsage(program);
  registerWebhooks(program);
  registerServe(program);
  registerWork(program);
  registerJobs(program);
  registerOpenApi(program);
}
