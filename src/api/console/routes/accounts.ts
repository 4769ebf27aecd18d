import { getAccounts, getPlans, postAccount, postAccountPlan } from '../handlers/accounts.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { AccountBody, AccountsBody, NewAccountBody, PlansBody, SetPlanBody } from '../schemas/accounts.ts';

/** Accounts and their plans: of those who run the installation. */
export const ACCOUNT_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/plans',
    operationId: 'listPlans',
    access: 'signed_in',
    answer: PlansBody,
    handle: getPlans,
  },
  {
    method: 'GET',
    path: '/console/api/accounts',
    operationId: 'listAccounts',
    access: 'operator',
    answer: AccountsBody,
    handle: getAccounts,
  },
  {
    method: 'POST',
    path: '/console/api/accounts',
    operationId: 'createAccount',
    access: 'operator',
    body: NewAccountBody,
    answer: AccountBody,
    handle: postAccount,
  },
  {
    method: 'POST',
    path: '/console/api/accounts/{id}/plan',
    operationId: 'setAccountPlan',
    access: 'operator',
    body: SetPlanBody,
    answer: AccountBody,
    handle: postAccountPlan,
  },
];
