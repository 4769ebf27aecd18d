import { PlumblineError } from '../errors.ts';
import { PLACE } from '../load/sample-county/plan.ts';
import { DEFAULT_ACCOUNT_ID, listAccounts } from '../store/accounts.ts';
import { isBegunBy } from '../store/audit-log.ts';
import { listMarkets } from '../store/markets.ts';
import type { Store } from '../store/store.ts';
import { NPM_START } from './demo-administrator.ts';

/**
 * Rejects a database server's database that holds anything but a demo: `npm start` would load a made-up county into it and
 * print a key and an administrator's password. A demo has the sample county and no other account, and `npm start` made
 * the first entry of its audit log; an empty database becomes one.
 */
export async function rejectForeignDatabase(store: Store): Promise<void> {
  const market = (await listMarkets(store)).find(({ marketId }) => marketId !== PLACE.marketId);
  if (market !== undefined) throw foreign(`the market "${market.marketId}"`);
  const account = (await listAccounts(store)).find(({ accountId }) => accountId !== DEFAULT_ACCOUNT_ID);
  if (account !== undefined) throw foreign(`the account "${account.accountId}"`);
  if (!(await isBegunBy(store, NPM_START))) throw foreign('keys or users that npm start did not create');
}

function foreign(what: string): PlumblineError {
  return new PlumblineError(
    'usage',
    `The database of DATABASE_URL holds ${what}, so it is not a demo. Run "plumbline serve" to serve it, or unset DATABASE_URL.`,
  );
}
