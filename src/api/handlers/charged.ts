import type { FastifyReply, FastifyRequest } from 'fastify';
import { dayOfInstant } from '../../domain/day.ts';
import { wantsStrict } from '../admit.ts';
import type { ApiDeps } from '../deps.ts';
import { headerText } from '../request-context.ts';
import { isPlainObject } from '../request/object-schema.ts';
import type { RequestReader } from '../request/read-request.ts';

/** What an operation asked of, what it may cost, and its answer as it goes out. */
export interface Charged<Asked> {
  readonly creditsMax: (asked: Asked) => number | Promise<number>;
  readonly run: (asked: Asked) => Promise<{ readonly credits: number; readonly body: unknown }>;
}

/** Reads a POST's body or a GET's query into what the operation takes. */
export function readAsked<Asked>(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  reader: RequestReader<Asked>,
): Asked {
  const reading = { today: dayOfInstant(deps.clock()), isStrict: wantsStrict(request, reply) };
  if (request.method === 'POST') return reader.body(request.body, reading);
  return reader.query(isPlainObject(request.query) ? request.query : {}, reading);
}

/** Runs the operation and says what it cost; with `X-Dry-Run: true` says only what it may cost. */
export async function answerCharged<Asked>(
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Asked,
  { creditsMax, run }: Charged<Asked>,
): Promise<unknown> {
  if (isDryRun(request)) return { dry_run: true, credits_max: await creditsMax(asked) };
  const { credits, body } = await run(asked);
  request.creditsCharged = credits;
  reply.header('x-credits-charged', credits);
  return body;
}

function isDryRun(request: FastifyRequest): boolean {
  return headerText(request.headers['x-dry-run'])?.trim().toLowerCase() === 'true';
}
