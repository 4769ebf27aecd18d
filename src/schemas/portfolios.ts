import { Type } from 'typebox';
import { ALERT_KINDS, ALERT_STATUSES, REVALUE_EVERY, RUN_CAUSES } from '../domain/portfolio.ts';
import { JOB_STATUSES } from '../store/tables/jobs.ts';
import { MAX_ITEMS, nextCursor, pageMembers, PropertyBatchItem } from './batch.ts';
import { Warnings } from './location.ts';
import {
  arrayOf,
  boolean,
  counts,
  integer,
  nullable,
  number,
  oneOf,
  optional,
  responseObject,
  string,
} from './members.ts';

export const MOST_PORTFOLIO_HOMES = 20_000;
export const ALERTS_LIMIT = { default: 100, max: 500 } as const;
/** What the column of a number holds. */
const MOST_STORED_NO = 2_147_483_647;
export const HOMES_LIMIT = { default: 100, max: 500 } as const;

export const PortfolioItem = Type.Object(
  {
    ...PropertyBatchItem.properties,
    loan_balance: optional.number('Of all loans on the home, USD: for the loan-to-value ratio.', {
      minimum: 0,
    }),
  },
  {
    title: 'PortfolioItem',
    description:
      'The request of a property valuation, with a reference of your own and the balance of loans. Each run values it as of the day of the run, so `date` is not accepted.',
  },
);

function itemsOf(description: string) {
  return Type.Array(PortfolioItem, { description, minItems: 1, maxItems: MAX_ITEMS });
}

const PortfolioRulesBody = Type.Object(
  {
    change_pct: optional.number('A value that differs by at least this many percent from the one before.', {
      minimum: 0.1,
      maximum: 1000,
      'x-when-omitted': 'no such alerts',
    }),
    outside_range: optional.boolean('A value outside the 90% interval of the one before.', {
      default: true,
    }),
    ltv_pct: optional.number(
      'Loans that exceed this many percent of the value, and did not before. A lower limit also reports, once, those between it and the limit before.',
      {
        minimum: 1,
        maximum: 1000,
        'x-when-omitted': 'no such alerts',
      },
    ),
    sold_within_mi: optional.number(
      'Sales that were not known before, at most this many miles away, of the home itself too.',
      { minimum: 0, maximum: 5, 'x-when-omitted': 'no such alerts' },
    ),
  },
  { title: 'AlertRules' },
);

/** Name and rules of a portfolio. */
const members = {
  name: string('What to call it.', { minLength: 1, maxLength: 200 }),
  revalue_every: optional.oneOf(
    REVALUE_EVERY,
    'The least time between two automatic runs. A run begins when the model or the data of one of its markets have changed.',
    { default: 'day' },
  ),
  alerts: Type.Optional(nullable.object(PortfolioRulesBody)),
};

export const PortfolioRequestBody = Type.Object(
  {
    ...members,
    properties: itemsOf('POST /v1/portfolios/{portfolio_id}/properties adds more.'),
  },
  { title: 'PortfolioRequest' },
);

/** What the console asks to watch the homes of a file. */
export const WatchRequestBody = Type.Object(members, { title: 'WatchRequest' });

export const PortfolioSettingsRequestBody = Type.Object(members, { title: 'PortfolioSettingsRequest' });

export const BalancesRequestBody = Type.Object(
  {
    balances: Type.Array(
      Type.Object({
        property_id: string('Your reference of a home.', { minLength: 1, maxLength: 200 }),
        loan_balance: nullable.number('Of all loans on the home, USD; null for none.', { minimum: 0 }),
      }),
      { description: 'Homes that are not named keep theirs.', minItems: 1, maxItems: MOST_PORTFOLIO_HOMES },
    ),
  },
  { title: 'BalancesRequest' },
);

export const BalancesBody = responseObject('ChangedBalances', {
  matched: integer('Homes with one of the references.'),
  changed: integer('Homes that had another balance.'),
  unknown_count: integer('References that no home has.'),
  unknown_property_ids: arrayOf(string(), 'The first 100 of these.'),
});

/** Without its items, which are read one by one. */
export const PortfolioEnvelope = Type.Object({ ...members, properties: Type.Array(Type.Unknown()) });

export const PortfolioItemsRequestBody = Type.Object(
  { properties: itemsOf('They are valued with the next run.') },
  { title: 'PortfolioItemsRequest' },
);

export const PortfolioItemsEnvelope = Type.Object({ properties: Type.Array(Type.Unknown()) });

const time = (description?: string) => nullable.string(description, { format: 'date-time' });

const RunBody = responseObject('PortfolioRun', {
  run: integer('1, 2, 3 … of the portfolio.'),
  job_id: string('The batch that values the homes.'),
  cause: oneOf(RUN_CAUSES, 'Why it began: `model` and `data` of a market have changed.'),
  as_of_date: string(undefined, { format: 'date' }),
  status: oneOf(JOB_STATUSES, 'Of the batch.'),
  properties: integer(),
  valued: integer('So far.'),
  failed: integer('Without a value so far.'),
  credits_used: integer(),
  created_at: string(undefined, { format: 'date-time' }),
  finished_at: time(),
  compared_at: time('When its values were compared with those before, and its alerts written.'),
  alerts: integer('0 until it was compared.'),
});

export const PortfolioBody = responseObject('Portfolio', {
  portfolio_id: string(),
  name: string(),
  revalue_every: oneOf(REVALUE_EVERY),
  alerts: responseObject('PortfolioAlertRules', {
    change_pct: nullable.number(),
    outside_range: boolean(),
    ltv_pct: nullable.number(),
    sold_within_mi: nullable.number(),
  }),
  properties: integer('Number of homes.'),
  totals: responseObject('PortfolioTotals', {
    valued: integer(
      'Homes with a value, by the newest run that was compared. A home that the portfolio has several times counts once.',
    ),
    estimated_value: integer('Of these homes, USD.'),
    repeats: Type.Optional(
      integer(
        'Further entries with a value that are the same home (point, house number and unit), such as second loans. Absent if there are none.',
      ),
    ),
    loan_balance: number('Of all entries, USD.'),
    loan_balance_valued: number('Of entries with a value, USD.'),
    ltv_pct: nullable.number(
      'Loans on homes with a value and a loan, as a percentage of the value of these homes.',
    ),
  }),
  alert_count: integer('Of all runs.'),
  open_alerts: integer('Alerts that were not dismissed.'),
  problem: nullable.string('Why a run that was due could not begin. It is tried again every hour.'),
  created_at: string(undefined, { format: 'date-time' }),
  created_by: string('Name of the user or key.'),
  runs: arrayOf(RunBody, 'The newest 20, newest first.'),
  warnings: Warnings,
});

export const PortfoliosBody = responseObject('Portfolios', {
  portfolios: arrayOf(
    responseObject('PortfolioSummary', {
      portfolio_id: string(),
      name: string(),
      properties: integer(),
      alert_count: integer(),
      open_alerts: integer('Alerts that were not dismissed.'),
      run_count: integer(),
      problem: nullable.string(),
      created_at: string(undefined, { format: 'date-time' }),
    }),
    'Oldest first.',
  ),
});

export const DeletedPortfolioBody = responseObject('DeletedPortfolio', {
  portfolio_id: string(),
  name: string(),
});

export const PortfolioHomesRequestBody = Type.Object(
  {
    ...pageMembers('properties', HOMES_LIMIT, ', with the same filters'),
    has_value: optional.boolean('Only those with a value, or only those without.', {
      'x-when-omitted': 'both',
    }),
    ltv_above_pct: optional.number('Only those whose loan exceeds this many percent of the value.', {
      minimum: 0,
      'x-when-omitted': 'any',
    }),
    fsd_above: optional.number('Only those with a value whose FSD exceeds this.', {
      minimum: 0,
      'x-when-omitted': 'any',
    }),
  },
  { title: 'PortfolioHomesRequest' },
);

const entryNumbers = optional.list<number>(
  { type: 'integer', minimum: 1, maximum: MOST_STORED_NO },
  '`entry` of the properties to remove.',
  { minItems: 1, maxItems: MOST_PORTFOLIO_HOMES },
);

export const RemovePropertiesRequestBody = Type.Object(
  {
    entries: entryNumbers,
    property_ids: optional.list<string>(
      { type: 'string', minLength: 1, maxLength: 200 },
      'Instead of `entries`: your references. All entries with one of them are removed.',
      { minItems: 1, maxItems: MOST_PORTFOLIO_HOMES },
    ),
  },
  { title: 'RemovePropertiesRequest' },
);

export const RemovedPropertiesBody = responseObject('RemovedProperties', {
  removed: integer('Numbers and references that no property has are skipped.'),
  properties: integer('Number of homes that are left.'),
});

const PortfolioHomeBody = responseObject('PortfolioHome', {
  entry: integer('Number in the portfolio. It never changes, and is not used again.'),
  property_id: nullable.string(),
  formatted_address: nullable.string(),
  latitude: nullable.number(),
  longitude: nullable.number(),
  valuation_id: nullable.string('Of the newest run that was compared.'),
  estimated_value: nullable.number(),
  estimated_value_low: nullable.number('Of the 90% interval.'),
  estimated_value_high: nullable.number('Of the 90% interval.'),
  fsd: nullable.number(),
  loan_balance: nullable.number(),
  ltv_pct: nullable.number('The loan of this entry as a percentage of the value.'),
  error_code: nullable.string('Why it has no value.'),
  error: nullable.string(),
});

export const PortfolioHomesBody = responseObject('PortfolioHomes', {
  properties: arrayOf(PortfolioHomeBody, 'In the order in which they were added.'),
  next_cursor: nextCursor,
  warnings: Warnings,
});

/** Why a value differs from an earlier one, in dollars. */
export const ChangeParts = responseObject('ValueChange', {
  market: integer(
    'The price index at the home: on the later date with the newer data, instead of the earlier one with the data of then.',
  ),
  comparables: integer('What else newer sales change, by the model of then.'),
  facts: integer('Newer details of the home.'),
  model: integer('The model of now instead of the model of then.'),
});

export const AlertsRequestBody = Type.Object(
  {
    ...pageMembers('alerts', ALERTS_LIMIT, ', with the same filters'),
    kind: optional.oneOf(ALERT_KINDS, 'Only these.'),
    run: optional.integer('Only those of this run.', { minimum: 1 }),
    status: optional.oneOf(ALERT_STATUSES, 'Only these. Open alerts were not dismissed.', { default: 'all' }),
  },
  { title: 'AlertsRequest' },
);

const NearbySale = responseObject('NewSale', {
  comp_id: string(),
  street_address: nullable.string(),
  sale_date: string(undefined, { format: 'date' }),
  sale_price: number(),
  distance_mi: number('0 for the home itself.'),
});

const alertMembers = {
  alert: integer('1, 2, 3 … of the portfolio.'),
  run: integer('0: of the values with which a file was watched.'),
  kind: oneOf(ALERT_KINDS),
  property_id: nullable.string(),
  formatted_address: nullable.string(),
  valuation_id: nullable.string('The value now.'),
  previous_valuation_id: nullable.string('The value before.'),
  value: nullable.number(),
  previous_value: nullable.number(),
  previous_low: nullable.number('Of the 90% interval.'),
  previous_high: nullable.number('Of the 90% interval.'),
  change: nullable.number('In dollars.'),
  change_pct: nullable.number(),
  causes: nullable.object(
    ChangeParts,
    'Of the change, to the dollar. Null without a change, and where the model or the data of then were deleted.',
  ),
  ltv_pct: nullable.number('Loans of all entries of the home, as a percentage of the value.'),
  previous_ltv_pct: nullable.number(),
  entries: Type.Optional(
    integer('Entries of the portfolio that are this home, each with its loan. Absent if there is one.'),
  ),
  sales: arrayOf(NearbySale, 'Of `sold_nearby`: the nearest 10.'),
  sales_count: integer('All of them.'),
  error: nullable.string('Of `no_longer_valued`.'),
};

/** As webhooks send it. */
const AlertBody = responseObject('Alert', alertMembers);

const ListedAlertBody = responseObject('ListedAlert', {
  ...alertMembers,
  dismissed_at: time('Null for an open alert.'),
  dismissed_by: nullable.string('Name of the user or key.'),
});

export const AlertsBody = responseObject('Alerts', {
  alerts: arrayOf(ListedAlertBody, 'Newest first.'),
  next_cursor: nextCursor,
  warnings: Warnings,
});

const alertNumbers = optional.list<number>(
  { type: 'integer', minimum: 1, maximum: MOST_STORED_NO },
  'Numbers of alerts.',
  { minItems: 1, maxItems: ALERTS_LIMIT.max },
);

export const DismissAlertsRequestBody = Type.Object(
  {
    alerts: alertNumbers,
    up_to: optional.integer('Instead of `alerts`: all open alerts up to this number.', {
      minimum: 1,
      maximum: MOST_STORED_NO,
    }),
    kind: optional.oneOf(ALERT_KINDS, 'With `up_to`: only open alerts of this kind.', {
      'x-when-omitted': 'all kinds',
    }),
  },
  { title: 'DismissAlertsRequest' },
);

export const DismissedAlertsBody = responseObject('DismissedAlerts', {
  dismissed: integer('Alerts that were open before.'),
  dismissed_at: time('Null if nothing has changed. Reopens these alerts.'),
  open_alerts: integer('Alerts of the portfolio that are open now.'),
});

export const ReopenAlertsRequestBody = Type.Object(
  {
    alerts: alertNumbers,
    dismissed_at: optional.string('Instead of `alerts`: all alerts that were dismissed at this time.', {
      maxLength: 30,
    }),
  },
  { title: 'ReopenAlertsRequest' },
);

export const ReopenedAlertsBody = responseObject('ReopenedAlerts', {
  reopened: integer('Alerts that were dismissed before.'),
  open_alerts: integer('Alerts of the portfolio that are open now.'),
});

export const PortfolioAlertsEvent = Type.Object(
  {
    type: Type.Literal('portfolio.alerts'),
    timestamp: string('When the run was compared.'),
    portfolio_id: string(),
    name: string(),
    run: integer(),
    alert_count: integer(),
    alerts_by_kind: counts('Number of alerts.'),
    alerts: arrayOf(AlertBody, 'The newest 100. GET /v1/portfolios/{portfolio_id}/alerts lists all.'),
  },
  { title: 'PortfolioAlertsEvent' },
);
