import type { Warning } from '../../domain/warning.ts';
import { PROPERTY_FIELDS } from '../../domain/property-attributes.ts';
import {
  challengeValuation,
  decideOnChallenge,
  CHALLENGE_CREDITS_MAX,
  readAccountChallenges,
  readChallenges,
  type ChallengeRequest,
} from '../../operations/past/challenges.ts';
import { NO_CHANGES } from '../../operations/property/gather-changes.ts';
import type { Static } from 'typebox';
import {
  AccountChallengesBody,
  AccountChallengesRequestBody,
  CHALLENGES_LIMIT,
  ChallengedValuationBody,
  ChallengePreviewRequestBody,
  ChallengeRequestBody,
  ChallengeBody,
  ChallengesBody,
  DecisionRequestBody,
} from '../../schemas/challenges.ts';
import { chargedPost, freeGet, freePost } from '../endpoint.ts';
import { changeErrors, changesOf } from '../request/change-request.ts';
import {
  attributesOfFields,
  featureErrors,
  featuresOfFields,
  searchOf,
} from '../request/location-request.ts';
import { createRequestReader } from '../request/read-request.ts';
import { admittedCaller, callerOf } from '../request-context.ts';
import type { Operation } from '../route.ts';
import { reportingProblems, valuationIdOf } from './valuations.ts';

function challengeOf(
  body: Static<typeof ChallengeRequestBody>,
  warnings: readonly Warning[],
): ChallengeRequest {
  const { property_fields: fields, note, facts_reason: reason, assessment } = body;
  const facts = fields && {
    propertyType: fields.property_type ?? null,
    attributes: attributesOfFields(PROPERTY_FIELDS, fields),
    ...featuresOfFields(fields),
  };
  return {
    facts: facts ?? null,
    changes: changesOf(body).changes ?? NO_CHANGES,
    note: note?.trim() || null,
    appeal: {
      ...(reason?.trim() && { factsReason: reason.trim() }),
      ...(assessment && { assessment: { valueUsd: assessment.value, year: assessment.year ?? null } }),
    },
    warnings,
  };
}

const challengeRequest = createRequestReader({
  schema: ChallengeRequestBody,
  check: (request, errorAt) => [...featureErrors(request, errorAt), ...changeErrors(request, errorAt)],
  build: (body, _reading, warnings) => challengeOf(body, warnings),
});

export const challengePreviewRequest = createRequestReader({
  schema: ChallengePreviewRequestBody,
  check: (request, errorAt) => [...featureErrors(request, errorAt), ...changeErrors(request, errorAt)],
  build: (body, reading, warnings) => ({
    ...challengeOf(body, warnings),
    search: body.search_params ? searchOf(body.search_params, reading).search : null,
  }),
});

const decisionRequest = createRequestReader({
  schema: DecisionRequestBody,
  check: ({ reason }, errorAt) =>
    typeof reason === 'string' && reason !== '' && reason.trim() === ''
      ? [errorAt(['reason'], 'missing', 'must say why')]
      : [],
  build: ({ decision, reason }) => ({ decision, reason: reason.trim() }),
});

const accountChallengesRequest = createRequestReader({
  schema: AccountChallengesRequestBody,
  build: ({ state, address, limit, cursor }, _reading, warnings) => ({
    state: state ?? null,
    address: address ?? null,
    limit: limit ?? CHALLENGES_LIMIT.default,
    cursor: cursor ?? null,
    warnings,
  }),
});

export const CHALLENGE_ROUTES: readonly Operation[] = [
  chargedPost({
    path: '/v1/valuations/{id}/challenge',
    operationId: 'challengeValuation',
    access: 'avm:property',
    credits: '30, and 1 per comparable returned',
    summary: 'Challenge a value',
    description:
      'The home of a past valuation valued again with corrected facts, other comparables, overridden adjustments or renovations, by the same model, data and as-of date. `changes` has the value before, and what each change does to it, to the dollar. Recorded as a valuation of its own, with a version, and replayable. A challenge of a challenge is the next version of the same original: it starts from the original. Valuations of rents and buildings cannot be challenged yet.',
    problems: ['not_found', 'gone', 'invalid_changes'],
    reader: challengeRequest,
    response: ChallengedValuationBody,
    creditsMax: () => CHALLENGE_CREDITS_MAX,
    run: (deps, request, caller, httpRequest) => {
      const { actor } = admittedCaller(httpRequest);
      const valuationId = valuationIdOf(httpRequest);
      return reportingProblems(
        httpRequest,
        challengeValuation(deps, valuationId, request, { ...caller, actor }),
      );
    },
  }),
  freeGet('/v1/valuations/{id}/challenges', 'listChallenges', 'valuations:read', {
    summary: 'The challenges of a valuation',
    description: 'By version, with their decisions. The id of a challenge lists those of its original.',
    response: ChallengesBody,
    problems: ['not_found'],
    handle: ({ operations, request }) =>
      readChallenges(operations, valuationIdOf(request), callerOf(request)),
  }),
  freeGet('/v1/challenges', 'listAccountChallenges', 'valuations:read', {
    summary: 'The challenges of the account',
    description: 'Newest first, with their decisions.',
    reader: accountChallengesRequest,
    response: AccountChallengesBody,
    problems: ['invalid_cursor'],
    handle: async ({ operations, request, read }) => {
      const { warnings, ...search } = read();
      const page = await readAccountChallenges(operations, callerOf(request).accountId, search);
      return { ...page, warnings };
    },
  }),
  freePost('/v1/valuations/{id}/decision', 'decideChallenge', 'challenges:decide', {
    summary: 'Accept or reject a challenge',
    description:
      'The id is that of the challenge. A decision is final and in the audit log. Webhook endpoints that are registered for `challenge.decided` get it; a `notify_url` never does.',
    reader: decisionRequest,
    response: ChallengeBody,
    problems: ['not_found', 'conflict'],
    handle: ({ operations, request, read }) => {
      const decision = read();
      return decideOnChallenge(operations, valuationIdOf(request), decision, admittedCaller(request));
    },
  }),
];
