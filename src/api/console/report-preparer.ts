import { PreparerBody } from '../../schemas/report.ts';
import { findReportPreparer, updateUser } from '../../store/users.ts';
import { jsonText } from '../../store/json-text.ts';
import { inTransaction } from '../../store/transaction.ts';
import { preparationOf } from '../endpoints/reports.ts';
import { type ConsoleRoute, get, post } from './console-route.ts';

/** Name and license of the signed-in user, for the next report. */
export const REPORT_PREPARER_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/report-preparer', 'readReportPreparer', 'signed_in', {
    response: PreparerBody,
    handle: ({ store, session }) => findReportPreparer(store, session.userId),
  }),
  post('/console/api/report-preparer', 'setReportPreparer', 'signed_in', {
    input: PreparerBody,
    response: PreparerBody,
    handle: async ({ store, session, read }) => {
      const preparer = preparationOf(read());
      const change = { reportPreparer: jsonText({ ...preparer }) };
      await inTransaction(store, (transaction) => updateUser(transaction, session.userId, change));
      return preparer;
    },
  }),
];
