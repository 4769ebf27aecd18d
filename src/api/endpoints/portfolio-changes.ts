import { instantOrNull } from '../../domain/instant.ts';
import {
  changeBalances,
  changePortfolio,
  removeHomes,
  type ChangedBalances,
  type HomesToRemove,
  type NewBalance,
} from '../../jobs/change-portfolio.ts';
import {
  dismissAlerts,
  reopenAlerts,
  type AlertsToDismiss,
  type AlertsToReopen,
} from '../../jobs/dismiss-alerts.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import {
  BalancesBody,
  BalancesRequestBody,
  DismissAlertsRequestBody,
  DismissedAlertsBody,
  PortfolioBody,
  PortfolioSettingsRequestBody,
  RemovedPropertiesBody,
  RemovePropertiesRequestBody,
  ReopenAlertsRequestBody,
  ReopenedAlertsBody,
} from '../../schemas/portfolios.ts';
import { freePost } from '../endpoint.ts';
import { BATCH_BODY } from '../request/input-guard.ts';
import { createRequestReader, type ErrorAt, type Section } from '../request/read-request.ts';
import { admittedCaller, callerOf } from '../request-context.ts';
import type { Operation } from '../route.ts';
import { portfolioMembers } from './portfolio-members.ts';
import { portfolioIdOf, portfoliosOf, rulesOfBody } from './portfolio-requests.ts';

const readSettings = createRequestReader({
  schema: PortfolioSettingsRequestBody,
  build: (body, _reading, warnings) => ({ ...rulesOfBody(body), warnings }),
});

const readBalances = createRequestReader({
  schema: BalancesRequestBody,
  build: ({ balances }): NewBalance[] =>
    balances.map(({ property_id: propertyId, loan_balance: balanceUsd }) => ({ propertyId, balanceUsd })),
});

/** A request names alerts or homes by number or, instead, by another member. */
function namesOneOf(numbers: string, other: string) {
  return (request: Section, errorAt: ErrorAt) => {
    const [byNumber, byOther] = [request[numbers], request[other]].map((each) => (each ?? null) !== null);
    if (!byNumber && !byOther) return [errorAt([numbers], 'missing', `is required, or ${other}`)];
    if (!byNumber || !byOther) return [];
    return [errorAt([other], 'not_together', `must not be given together with ${numbers}`)];
  };
}

const readRemoval = createRequestReader({
  schema: RemovePropertiesRequestBody,
  check: namesOneOf('entries', 'property_ids'),
  build: ({ entries, property_ids: propertyIds }): HomesToRemove =>
    propertyIds ? { propertyIds } : { homeNos: (entries ?? []).map((entry) => entry - 1) },
});

const readDismissal = createRequestReader({
  schema: DismissAlertsRequestBody,
  check: (request, errorAt) => {
    if ((request.kind ?? null) !== null && (request.alerts ?? null) !== null)
      return [errorAt(['kind'], 'not_together', 'must not be given together with alerts')];
    return namesOneOf('alerts', 'up_to')(request, errorAt);
  },
  build: ({ alerts, up_to: upTo, kind }): AlertsToDismiss =>
    typeof upTo === 'number' ? { upTo, kind: kind ?? null } : { alertNos: alerts ?? [] },
});

const readReopening = createRequestReader({
  schema: ReopenAlertsRequestBody,
  check: (request, errorAt) => {
    const { dismissed_at: at } = request;
    if (typeof at !== 'string' || !Number.isNaN(Date.parse(at)))
      return namesOneOf('alerts', 'dismissed_at')(request, errorAt);
    return [errorAt(['dismissed_at'], 'time_format', 'must be a time, as dismissed_at of an alert')];
  },
  build: ({ alerts, dismissed_at: at }): AlertsToReopen =>
    typeof at === 'string' ? { dismissedAt: Date.parse(at) } : { alertNos: alerts ?? [] },
});

/** Unknown references listed. */
const UNKNOWN_LISTED = 100;

export function balancesMembers({
  matched,
  changed,
  unknown,
}: ChangedBalances): ResponseOf<typeof BalancesBody> {
  return {
    matched,
    changed,
    unknownCount: unknown.length,
    unknownPropertyIds: unknown.slice(0, UNKNOWN_LISTED),
  };
}

/** Changes of a portfolio that value nothing. */
export const PORTFOLIO_CHANGE_ROUTES: readonly Operation[] = [
  freePost('/v1/portfolios/{portfolio_id}/settings', 'changePortfolio', 'portfolios', {
    summary: 'Change the name and the rules of a portfolio',
    description:
      'All of them: a rule that is left out is off, or has its default. The next run follows them.',
    reader: readSettings,
    response: PortfolioBody,
    problems: ['not_found'],
    handle: async ({ deps, request, read }) => {
      const { warnings, ...settings } = read();
      const portfolioId = portfolioIdOf(request);
      await changePortfolio(deps.operations, admittedCaller(request), portfolioId, settings);
      return portfolioMembers(
        await portfoliosOf(deps).read(callerOf(request).accountId, portfolioId),
        warnings,
      );
    },
  }),
  freePost('/v1/portfolios/{portfolio_id}/balances', 'changeBalances', 'portfolios', {
    summary: 'Replace loan balances',
    description: 'By your references, such as from the tape of a new month. The next run compares with them.',
    reader: readBalances,
    bodyLimits: BATCH_BODY,
    response: BalancesBody,
    problems: ['not_found', 'conflict'],
    handle: async ({ deps, request, read }) => {
      const balances = read();
      return balancesMembers(
        await changeBalances(deps.operations, admittedCaller(request), portfolioIdOf(request), balances),
      );
    },
  }),
  freePost('/v1/portfolios/{portfolio_id}/properties/remove', 'removeFromPortfolio', 'portfolios', {
    summary: 'Remove properties from a portfolio',
    description:
      'By `entry` or by your references, such as loans that were sold. Earlier runs and alerts stay, and their numbers do not change. A portfolio keeps at least one property: delete it instead.',
    reader: readRemoval,
    bodyLimits: BATCH_BODY,
    response: RemovedPropertiesBody,
    problems: ['not_found', 'conflict'],
    handle: async ({ deps, request, read }) => {
      const which = read();
      const by = admittedCaller(request);
      const { removed, left } = await removeHomes(deps.operations, by, portfolioIdOf(request), which);
      return { removed, properties: left };
    },
  }),
  freePost('/v1/portfolios/{portfolio_id}/alerts/dismiss', 'dismissAlerts', 'portfolios', {
    summary: 'Dismiss alerts',
    description:
      'By number, or all open ones, or those of a kind, up to the newest that you have seen, so that alerts which arrive meanwhile stay open. An alert that was dismissed before keeps when and by whom. A number that no alert has is an error, and nothing is changed.',
    reader: readDismissal,
    response: DismissedAlertsBody,
    problems: ['not_found'],
    handle: async ({ deps, request, read }) => {
      const which = read();
      const by = admittedCaller(request);
      const { changed, dismissedAt, openAlerts } = await dismissAlerts(
        deps.operations,
        by,
        portfolioIdOf(request),
        which,
      );
      return { dismissed: changed, dismissedAt: instantOrNull(dismissedAt), openAlerts };
    },
  }),
  freePost('/v1/portfolios/{portfolio_id}/alerts/reopen', 'reopenAlerts', 'portfolios', {
    summary: 'Reopen dismissed alerts',
    description:
      'By number, or all that one request dismissed: `dismissed_at` of its response. Open alerts stay as they are.',
    reader: readReopening,
    response: ReopenedAlertsBody,
    problems: ['not_found'],
    handle: async ({ deps, request, read }) => {
      const which = read();
      const by = admittedCaller(request);
      const { changed, openAlerts } = await reopenAlerts(deps.operations, by, portfolioIdOf(request), which);
      return { reopened: changed, openAlerts };
    },
  }),
];
