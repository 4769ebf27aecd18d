import type { ComparableRecord, PropertyValuation } from '../../api/valuations.ts';
import { NO_CHANGES, writtenReason, type Changes, type Renovation, type SaleToAdd } from './changes.ts';
import { fieldsBody, type Fields, type FieldValue } from './value-request.ts';

type Challenged = Pick<PropertyValuation, 'comparables' | 'changes'>;
type Item = PropertyValuation['comparables']['items'][number];

/** What a version of a challenge begins with. */
export interface FirstChanges {
  readonly changes: Changes;
  /** The facts that are corrected. */
  readonly facts: Fields;
  /** What it says besides: why the facts are corrected, and the assessment that is appealed. */
  readonly appeal: Pick<NonNullable<Challenged['changes']>, 'facts_reason' | 'assessment'>;
  /** What the challenge is about. */
  readonly note?: string | null;
}

/**
 * The changes of a saved challenge, to revise them: the same changes of the same value give the same value again. `records`
 * has the details of added sales that the response lacks; it is empty if the data of the challenge were deleted.
 */
export function changesOfChallenge(
  { comparables: { items }, changes }: Challenged,
  records: readonly Pick<ComparableRecord, 'comp_id' | 'entered_details'>[],
): FirstChanges {
  if (!changes) return { changes: NO_CHANGES, facts: {}, appeal: {} };
  const { facts, facts_reason, assessment, excluded, adjustments, renovations } = changes;
  const pinned = items.filter(({ choice }) => choice === 'pinned').map(({ comp_id }) => comp_id);
  const added = items
    .filter(({ choice }) => choice === 'added')
    .sort((a, b) => numberOf(a) - numberOf(b))
    .map((item) =>
      saleOf(
        item,
        records.find(({ comp_id }) => comp_id === item.comp_id),
      ),
    );
  return {
    changes: {
      pinned,
      added,
      excluded: Object.fromEntries(excluded.map(({ comp_id, reason }) => [comp_id, writtenReason(reason)])),
      overrides: adjustments.map(({ comp_id, field, amount, reason }) => ({
        comp_id,
        field,
        amount,
        reason,
      })),
      isOnlyPinned: pinned.length + added.length > 0 && pinned.length + added.length === items.length,
      renovations: (renovations?.items ?? []).map(renovationOf),
    },
    facts: knownOf(facts.map(({ field, after }) => [field, after])),
    appeal: { facts_reason, assessment },
  };
}

/** Of `added-3`. */
function numberOf({ comp_id }: Item): number {
  return Number(comp_id.replace(/^added-/, ''));
}

function saleOf(item: Item, record: Pick<ComparableRecord, 'entered_details'> | undefined): SaleToAdd {
  const { formatted_address: address, latitude, longitude } = item;
  const facts = {
    property_type: item.property_type,
    total_bedrooms: item.bedrooms,
    total_bathrooms: item.bathrooms,
    living_area: item.living_area,
    lot_size: item.lot_size,
    year_built: item.year_built,
    num_stories: item.num_stories,
    condition: item.condition,
  };
  const details = record?.entered_details.map(({ field, value }) => [field, value] as const);
  return {
    sale_price: item.sale_price,
    sale_date: item.sale_date,
    ...(address === null ? { latitude, longitude } : { address }),
    property_fields: fieldsBody(knownOf(details ?? Object.entries(facts))),
  };
}

function knownOf(details: readonly (readonly [string, FieldValue | null])[]): Fields {
  return Object.fromEntries(
    details.flatMap(([field, value]): [string, FieldValue][] => (value === null ? [] : [[field, value]])),
  );
}

/** The share of the cost is not in the response, but follows from the amount. */
function renovationOf({
  description,
  cost,
  year,
  amount,
}: NonNullable<NonNullable<Challenged['changes']>['renovations']>['items'][number]): Renovation {
  return {
    description,
    cost,
    ...(year === null ? {} : { year }),
    ...(cost > 0 ? { value_share: amount / cost } : {}),
  };
}
