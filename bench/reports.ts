import { readFileSync } from 'node:fs';
import { composeOperations } from '../src/cli/compose-operations.ts';
import { readProcessConfig } from '../src/config.ts';
import { valuationReport } from '../src/operations/report/valuation-report.ts';
import { DEFAULT_ACCOUNT_ID } from '../src/store/accounts.ts';
import { openStore } from '../src/store/open-store.ts';

/**
 * Seconds of CPU time and of waiting for the report of a valuation: `node bench/reports.ts ID` with the settings of the
 * server, such as PLUMBLINE_DATA. The first of each format also loads the model.
 */
const [given] = process.argv.slice(2);
if (given === undefined) throw new Error('Give the id of a valuation, or a file with its response.');
const valuationId: string = given.endsWith('.json')
  ? JSON.parse(readFileSync(given, 'utf8')).valuation.valuation_id
  : given;

const { databaseUrl, dataDir } = readProcessConfig();
const store = await openStore({ databaseUrl, dataDir });
const operations = composeOperations(store);
const caller = { accountId: DEFAULT_ACCOUNT_ID };
for (const format of ['html', 'pdf', 'html', 'pdf', 'html', 'pdf'] as const) {
  const started = performance.now();
  const before = process.cpuUsage();
  const options = { version: 'appraiser', format, paper: 'letter' } as const;
  const { length } = await valuationReport(operations, valuationId, caller, options, null);
  const { user, system } = process.cpuUsage(before);
  const cpu = ((user + system) / 1e6).toFixed(2);
  const waited = ((performance.now() - started) / 1000).toFixed(2);
  console.log(`${format.padEnd(4)} ${waited} s, ${cpu} s of CPU time, ${Math.round(length / 1000)} KB`);
}
await store.close();
