import type { Static } from 'typebox';
import type {
  AccountChallengesBody,
  AccountChallengesRequestBody,
  ChallengeBody,
  ChallengedValuationBody,
  ChallengePreviewBody,
  ChallengePreviewRequestBody,
  ChallengeRequestBody,
  ChallengesBody,
  DecisionRequestBody,
} from '../../../src/schemas/challenges.ts';
import { get, post } from './request.ts';

export type Challenge = Static<typeof ChallengeBody>;
export type ChallengePreview = Static<typeof ChallengePreviewBody>;
export type ExcludedSale = ChallengePreview['changes']['excluded'][number];
export type ChallengeRequest = Static<typeof ChallengeRequestBody>;
export type ChallengeState = NonNullable<Static<typeof AccountChallengesRequestBody>['state']>;
export type Decision = Static<typeof DecisionRequestBody>['decision'];

const pathOf = (id: string): string => `/valuations/${encodeURIComponent(id)}`;

/** The value with some changes, and the sales to choose from. Free; nothing is recorded. */
export const previewChallenge = (
  valuationId: string,
  body: Static<typeof ChallengePreviewRequestBody>,
  signal?: AbortSignal,
) => post<ChallengePreview>(`${pathOf(valuationId)}/challenge-preview`, { body, signal, isPatient: true });

export const saveChallenge = (valuationId: string, body: ChallengeRequest) =>
  post<Static<typeof ChallengedValuationBody>>(`${pathOf(valuationId)}/challenge`, { body });

export const listChallenges = async (valuationId: string, signal: AbortSignal) =>
  (await get<Static<typeof ChallengesBody>>(`${pathOf(valuationId)}/challenges`, { signal })).challenges;

/** Of the account, newest first. */
export const listAccountChallenges = (
  query: {
    readonly state: ChallengeState | null;
    readonly cursor: string | null;
    readonly address?: string;
  },
  signal: AbortSignal,
) => get<Static<typeof AccountChallengesBody>>('/challenges', { query, signal });

export const decideChallenge = (valuationId: string, decision: Decision, reason: string) =>
  post<Challenge>(`${pathOf(valuationId)}/decision`, { body: { decision, reason } });
