import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../accounts/scopes.ts';
import { PlumblineError } from '../errors.ts';
import type { Caller, Priced } from '../operations/deps.ts';
import { admittedCaller } from './request-context.ts';
import type { ApiDeps } from './route.ts';

/** Charged work, with the most it may cost. */
export interface ChargedWork<Response> {
  /** The operation under which usage is counted. */
  readonly operation: Scope;
  readonly creditsMax: () => number | Promise<number>;
  readonly run: (caller: Caller) => Promise<Priced<Response>>;
}

/** Reserves the maximum cost, runs the work, charges the actual cost and reports it in the headers. */
export async function charge<Response>(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { operation, creditsMax, run }: ChargedWork<Response>,
): Promise<Response> {
  const { accountId, keyId, plan } = admittedCaller(request);
  try {
    const { answer, charged, remaining } = await deps.runCharged(
      { accountId, keyId, plan },
      {
        operation,
        creditsMax,
        run: (takeCharge) => run({ accountId, keyId, takeCharge }),
        // The handler's deadline has passed and a 504 was sent.
        isLate: () => reply.sent,
      },
    );
    request.creditsCharged = charged;
    reply.header('x-credits-charged', charged);
    if (remaining !== null) reply.header('x-credits-remaining', remaining);
    return answer.response;
  } catch (error) {
    reportRemaining(reply, error);
    throw error;
  }
}

/** Reports the credits left this month if there were too few. */
export function reportRemaining(reply: FastifyReply, error: unknown): void {
  const left = error instanceof PlumblineError ? error.members.credits_remaining : undefined;
  if (left !== undefined) reply.header('x-credits-remaining', left);
}
