import type { FastifyReply, FastifyRequest } from 'fastify';
import { dayOfInstant } from '../../domain/day.ts';
import type { Scope } from '../../accounts/scopes.ts';
import { PlumblineError } from '../../errors.ts';
import type { Caller as OperationCaller } from '../../operations/deps.ts';
import { wantsStrict } from '../admit.ts';
import type { ApiDeps } from '../route.ts';
import { admittedCaller, headerText } from '../request-context.ts';
import { isPlainObject } from '../request/object-schema.ts';
import type { Reading, RequestReader } from '../request/read-request.ts';

/** What an operation asked of, what it may cost, and its answer as it goes out. */
export interface Charged<Asked> {
  /** Under which it is counted. */
  readonly operation: Scope;
  readonly creditsMax: (asked: Asked) => number | Promise<number>;
  readonly run: (
    asked: Asked,
    caller: OperationCaller,
  ) => Promise<{ readonly credits: number; readonly body: unknown }>;
}

/** Reads a POST's body or a GET's query into what the operation takes. */
export function readAsked<Asked>(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  reader: RequestReader<Asked>,
): Asked {
  const reading = readingOf(deps, request, reply);
  if (request.method === 'POST') return reader.body(request.body, reading);
  return reader.query(isPlainObject(request.query) ? request.query : {}, reading);
}

export function readingOf(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): Reading {
  return { today: dayOfInstant(deps.clock()), isStrict: wantsStrict(request, reply) };
}

/** Runs the operation and says what it cost; with `X-Dry-Run: true` says only what it may cost. */
export async function answerCharged<Asked>(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Asked,
  { operation, creditsMax, run }: Charged<Asked>,
): Promise<unknown> {
  if (isDryRun(request)) return { dry_run: true, credits_max: await creditsMax(asked) };
  const { accountId, keyId, plan } = admittedCaller(request);
  try {
    const { answer, charged, remaining } = await deps.runCharged(
      { accountId, keyId, plan },
      {
        operation,
        creditsMax: () => creditsMax(asked),
        run: (takeCharge) => run(asked, { accountId, keyId, takeCharge }),
        // The deadline of answers has sent a 504.
        isLate: () => reply.sent,
      },
    );
    request.creditsCharged = charged;
    reply.header('x-credits-charged', charged);
    if (remaining !== null) reply.header('x-credits-remaining', remaining);
    return answer.body;
  } catch (error) {
    tellRemaining(reply, error);
    throw error;
  }
}

/** What is left of the month, where it was not enough. */
export function tellRemaining(reply: FastifyReply, error: unknown): void {
  const left = error instanceof PlumblineError ? error.members.credits_remaining : undefined;
  if (left !== undefined) reply.header('x-credits-remaining', left);
}

export function isDryRun(request: FastifyRequest): boolean {
  return headerText(request.headers['x-dry-run'])?.trim().toLowerCase() === 'true';
}
