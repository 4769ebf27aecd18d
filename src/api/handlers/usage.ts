import { usageOf } from '../../accounts/usage.ts';
import { presentUsage } from '../present/usage.ts';
import { admittedCaller } from '../request-context.ts';
import { usageRequest } from '../request/usage-request.ts';
import type { Handle } from '../route.ts';
import { readAsked } from './charged.ts';

/** What the caller's account used in a month. */
export const getUsage: Handle = async (deps, request, reply) => {
  const period = readAsked(deps, request, reply, usageRequest);
  const { accountId, plan } = admittedCaller(request);
  return presentUsage(await usageOf(deps.operations.store, accountId, plan, period));
};
