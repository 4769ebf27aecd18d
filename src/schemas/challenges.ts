import { Type, type Static } from 'typebox';
import { ADJUSTMENT_FIELDS } from '../domain/adjustment-fields.ts';
import { nextCursor, pageMembers } from './batch.ts';
import { AddressInfo, Warnings } from './location.ts';
import { arrayOf, integer, nullable, number, oneOf, optional, responseObject, string } from './members.ts';
import { Comparables, inputValue, PropertyValue, ValuationChanges } from './property-response.ts';
import { PropertyFacts, PropertyValuationRequestBody, SearchParams } from './valuation-requests.ts';
import { OwnSale } from './value-history.ts';

/** The most of each kind of change in a request. Pinned and added sales together fill at most the set of 20. */
export const MOST_CHANGES = { chosen: 20, excluded: 100, adjustments: 200, renovations: 20 } as const;

const CompId = string('`comp_id` of a comparable of this service.', { minLength: 1, maxLength: 200 });
const Reason = string('Why. Kept with the valuation.', { minLength: 1, maxLength: 500 });

const PinnedSale = Type.Object({ comp_id: CompId }, { title: 'PinnedSale' });
const ExcludedSale = Type.Object({ comp_id: CompId, reason: Reason }, { title: 'ExcludedSale' });

const SaleToAdd = Type.Object(
  {
    comp_id: optional.string('A sale of this service. All other members are then omitted.', {
      minLength: 1,
      maxLength: 200,
    }),
    sale_price: optional.number('Price paid, USD.', { minimum: 1, maximum: 1_000_000_000 }),
    sale_date: optional.string('Day of sale, not after the as-of date.', { format: 'date' }),
    address: optional.string('Street and city. Or give coordinates.', { maxLength: 500 }),
    latitude: optional.number('Degrees north (WGS 84), with longitude.', { minimum: -90, maximum: 90 }),
    longitude: optional.number('Degrees east (WGS 84), with latitude.', { minimum: -180, maximum: 180 }),
    property_fields: Type.Optional(PropertyFacts),
  },
  { title: 'SaleToAdd' },
);

const ChosenComparables = Type.Object(
  {
    pinned: optional.list<Static<typeof PinnedSale>>(
      PinnedSale,
      'Sales that are always in the set, wherever the search ends.',
      { maxItems: MOST_CHANGES.chosen },
    ),
    excluded: optional.list<Static<typeof ExcludedSale>>(
      ExcludedSale,
      'Sales that are not used. The next most similar ones replace them.',
      { maxItems: MOST_CHANGES.excluded },
    ),
    added: optional.list<Static<typeof SaleToAdd>>(
      SaleToAdd,
      'Sales that are added to the set: one of this service by `comp_id`, or any other by `sale_price`, `sale_date` and location. Details that are omitted come from the public record, else from similar homes nearby. In the response their ids are `added-1`, `added-2`, …',
      { maxItems: MOST_CHANGES.chosen },
    ),
    only_pinned: optional.boolean(
      'Use the pinned and added sales only, and do not fill the set up to 20 with the most similar ones.',
      { default: false },
    ),
  },
  { title: 'ChosenComparables', description: 'Which sales the comparables estimator uses.' },
);

const AdjustmentOverride = Type.Object(
  {
    comp_id: string('`comp_id` of a comparable of the set, or `added-1` for the first added sale.', {
      minLength: 1,
      maxLength: 200,
    }),
    field: oneOf(ADJUSTMENT_FIELDS, 'The line of the adjustment grid.'),
    amount: integer('Whole USD that the line becomes.', { minimum: -1_000_000_000, maximum: 1_000_000_000 }),
    reason: Reason,
  },
  { title: 'AdjustmentOverride' },
);

const RenovationRequest = Type.Object(
  {
    description: string('What was or will be done.', { minLength: 1, maxLength: 500 }),
    cost: number('USD.', { minimum: 0, maximum: 1_000_000_000 }),
    year: optional.integer('Year of completion.', {
      minimum: 1800,
      maximum: 2100,
      'x-when-omitted': 'planned: it counts in the value as repaired only',
    }),
    value_share: optional.number('Share of the cost that it adds to the value on the as-of date.', {
      minimum: 0,
      maximum: 2,
      'x-when-omitted': 'the assumption: 0.6 when new, falling to 0 in 20 years',
    }),
  },
  { title: 'RenovationRequest' },
);

const changes = {
  comparables: Type.Optional(ChosenComparables),
  adjustments: optional.list<Static<typeof AdjustmentOverride>>(
    AdjustmentOverride,
    'Lines of the adjustment grid with other amounts.',
    { maxItems: MOST_CHANGES.adjustments },
  ),
  renovations: optional.list<Static<typeof RenovationRequest>>(
    RenovationRequest,
    'Renovations that the details of the home do not reflect.',
    { maxItems: MOST_CHANGES.renovations },
  ),
};

const ChangesBody = Type.Object(changes);
export type ChangesMembers = Static<typeof ChangesBody>;

/** A valuation request in which the caller may choose the comparables. */
export const PropertyValuationWithChangesBody = Type.Object(
  { ...PropertyValuationRequestBody.properties, ...changes },
  { title: 'PropertyValuationRequest' },
);

export const ChallengeRequestBody = Type.Object(
  {
    property_fields: Type.Optional(PropertyFacts),
    ...changes,
    facts_reason: optional.string('Why the facts are corrected, such as who measured the home.', {
      maxLength: 500,
    }),
    assessment: Type.Optional(
      nullable.object(
        Type.Object(
          {
            value: number('The assessed value that is appealed, USD.', {
              minimum: 1,
              maximum: 1_000_000_000,
            }),
            year: optional.integer('Of the assessment.', { minimum: 1900, maximum: 2100 }),
          },
          { title: 'AppealedAssessment' },
        ),
        'It changes no value. The appeal report compares it with the values.',
      ),
    ),
    note: optional.string('What the challenge is about.', { maxLength: 2000 }),
  },
  { title: 'ChallengeRequest' },
);

/** A preview with `search_params` lists the sales to choose from, too. */
export const ChallengePreviewRequestBody = Type.Object(
  { ...ChallengeRequestBody.properties, search_params: Type.Optional(SearchParams) },
  { title: 'ChallengePreviewRequest' },
);

const DECISIONS = ['accepted', 'rejected'] as const;

export const DecisionRequestBody = Type.Object(
  {
    decision: oneOf(DECISIONS),
    reason: string('Why; kept with the challenge.', { minLength: 1, maxLength: 2000 }),
  },
  { title: 'DecisionRequest' },
);

const Decision = responseObject('ChallengeDecision', {
  decision: oneOf(DECISIONS),
  decided_at: string('UTC.'),
  decided_by: string('Name of the user or key.'),
  reason: string(),
});

export const ChallengeBody = responseObject('Challenge', {
  valuation_id: string('The changed valuation.'),
  original_valuation_id: string('The valuation that is challenged.'),
  version: integer('Of the original: 1, 2, 3, …'),
  created_at: string('UTC.'),
  created_by: string('Name of the user or key.'),
  note: nullable.string(),
  original_value: number('Value of the original, whole USD.'),
  changed_value: number('Value with the changes, whole USD.'),
  formatted_address: nullable.string('Of the home.'),
  decision: nullable.object(Decision, 'null until it is decided.'),
});

export const ChallengeDecidedEvent = Type.Object(
  {
    type: Type.Literal('challenge.decided'),
    timestamp: string('When it was decided.'),
    challenge: ChallengeBody,
  },
  { title: 'ChallengeDecidedEvent' },
);

export const ChallengedValuationBody = responseObject('ChallengedValuation', {
  challenge: ChallengeBody,
  address_info: AddressInfo,
  valuation: PropertyValue,
  comparables: Comparables,
  changes: ValuationChanges,
});

export const ChallengesBody = responseObject('Challenges', {
  challenges: arrayOf(ChallengeBody, 'By version.'),
});

export const CHALLENGES_LIMIT = { default: 50, max: 200 } as const;

/** What a challenge of a list may wait for or have. */
const CHALLENGE_STATES = ['open', ...DECISIONS] as const;

export const AccountChallengesRequestBody = Type.Object(
  {
    ...pageMembers('challenges', CHALLENGES_LIMIT, ', with the same state'),
    state: optional.oneOf(CHALLENGE_STATES, 'Only these; `open` ones wait for a decision.'),
    address: optional.string('Only of the home with this `formatted_address`.', { maxLength: 500 }),
  },
  { title: 'AccountChallengesRequest' },
);

export const AccountChallengesBody = responseObject('AccountChallenges', {
  challenges: arrayOf(ChallengeBody, 'Newest first.'),
  next_cursor: nextCursor,
  warnings: Warnings,
});

export const ComparableRecordBody = responseObject('ComparableRecord', {
  comp_id: string(),
  prior_sale: nullable.object(
    OwnSale,
    'The latest sale of the home before the comparable’s, of those known on the as-of date.',
  ),
  known_details: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description:
      'Of an added sale: names of the details that were entered or are in its record. It was compared with estimates of the others. Null for sales of the data.',
  }),
  entered_details: arrayOf(
    responseObject('EnteredDetail', {
      field: string('As in `inputs` of a valuation.'),
      value: inputValue('As it was entered.'),
    }),
    'Of an added sale: the details with which it can be added again. Empty for sales of the data.',
  ),
});

const comparableRecords = arrayOf(
  ComparableRecordBody,
  'What is known of the comparables beyond the valuation’s response. Empty for rents, and if the data of the valuation was deleted.',
);

export const ComparableRecordsBody = responseObject('ComparableRecords', {
  comparable_records: comparableRecords,
});

export const ChallengePreviewBody = responseObject('ChallengePreview', {
  valuation: PropertyValue,
  comparables: Comparables,
  changes: ValuationChanges,
  candidates: nullable.object(Comparables, 'null without `search_params`.'),
  comparable_records: comparableRecords,
});
