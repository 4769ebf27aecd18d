import type { FastifyReply, FastifyRequest } from 'fastify';
import { dayOfInstant } from '../../domain/day.ts';
import type { PropertyValuationRequest } from '../../operations/property-valuation.ts';
import { wantsStrict } from '../admit.ts';
import type { ApiDeps } from '../deps.ts';
import { presentPropertyValuation } from '../present-property.ts';
import { callerOf, headerText } from '../request-context.ts';
import { isPlainObject } from '../request/object-schema.ts';
import { readPropertyBody, readPropertyQuery, type Reading } from '../request/property-request.ts';

export function postProperty(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  return answerProperty(
    deps,
    request,
    reply,
    readPropertyBody(request.body, readingOf(deps, request, reply)),
  );
}

export function getProperty(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const query = isPlainObject(request.query) ? request.query : {};
  return answerProperty(deps, request, reply, readPropertyQuery(query, readingOf(deps, request, reply)));
}

function readingOf(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): Reading {
  return { today: dayOfInstant(deps.clock()), isStrict: wantsStrict(request, reply) };
}

async function answerProperty(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: PropertyValuationRequest,
): Promise<unknown> {
  if (isDryRun(request))
    return { dry_run: true, credits_max: deps.operations.propertyCreditsMax(asked.search) };
  const answer = await deps.operations.valueProperty(asked, callerOf(request));
  request.creditsCharged = answer.credits;
  reply.header('x-credits-charged', answer.credits);
  return presentPropertyValuation(answer);
}

function isDryRun(request: FastifyRequest): boolean {
  return headerText(request.headers['x-dry-run'])?.trim().toLowerCase() === 'true';
}
