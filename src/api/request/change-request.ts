import { parseDay } from '../../domain/day.ts';
import { isRecord } from '../../domain/json.ts';
import { PROPERTY_FIELDS } from '../../domain/property-attributes.ts';
import type { ChangesError } from '../../operations/property/gather-changes.ts';
import type { RequestedChanges, RequestedSale } from '../../operations/valuation-types.ts';
import { MOST_CHANGES, type ChangesMembers } from '../../schemas/challenges.ts';
import { attributesOfFields, featuresOfFields, isGiven, locationErrors } from './location-request.ts';
import type { ErrorAt, Section } from './read-request.ts';
import { ValidationError, type FieldError } from './validation-error.ts';

type AddedMember = NonNullable<NonNullable<ChangesMembers['comparables']>['added']>[number];

/** The changes in a request; empty if it has none. */
export function changesOf({ comparables, adjustments, renovations }: ChangesMembers): {
  readonly changes?: RequestedChanges;
} {
  const { pinned, excluded, added, only_pinned: isOnlyPinned } = comparables ?? {};
  const lists = [pinned, excluded, added, adjustments, renovations];
  if (!isOnlyPinned && lists.every((list) => !list || list.length === 0)) return {};
  return {
    changes: {
      pinned: (pinned ?? []).map((sale) => sale.comp_id),
      excluded: (excluded ?? []).map(({ comp_id: compId, reason }) => ({ compId, reason })),
      added: (added ?? []).map((sale) => (sale.comp_id ? { compId: sale.comp_id } : addedSaleOf(sale))),
      isFilled: !isOnlyPinned,
      adjustments: (adjustments ?? []).map(({ comp_id: compId, field, amount: amountUsd, reason }) => {
        return { compId, field, amountUsd, reason };
      }),
      renovations: (renovations ?? []).map((each) => ({
        description: each.description,
        costUsd: each.cost,
        year: each.year ?? null,
        valueShare: each.value_share ?? null,
      })),
    },
  };
}

/** `changeErrors` has checked that price and date are given. */
function addedSaleOf({
  sale_price: price,
  sale_date: date,
  property_fields: fields,
  ...place
}: AddedMember): RequestedSale {
  return {
    priceUsd: price ?? 0,
    soldOn: parseDay(date ?? '') ?? 0,
    location: {
      address: place.address?.trim() || null,
      lat: place.latitude ?? null,
      lon: place.longitude ?? null,
      mapsPlace: null,
    },
    propertyType: fields?.property_type ?? null,
    attributes: attributesOfFields(PROPERTY_FIELDS, fields ?? {}),
    ...featuresOfFields(fields ?? {}),
  };
}

/** Rules of changes that the schema cannot express. */
export function changeErrors(request: Section, errorAt: ErrorAt): FieldError[] {
  const errors: FieldError[] = [];
  const comparables = isRecord(request.comparables) ? request.comparables : {};
  const [pinned, excluded, added] = ['pinned', 'excluded', 'added'].map((name) =>
    recordsIn(comparables[name]),
  );
  const first = new Map<string, string>();
  for (const [name, list] of [
    ['pinned', pinned],
    ['excluded', excluded],
    ['added', added],
  ] as const) {
    list.forEach(({ comp_id: id }, i) => {
      if (typeof id !== 'string') return;
      const path = ['comparables', name, i, 'comp_id'];
      const earlier = first.get(id);
      if (earlier !== undefined)
        errors.push(errorAt(path, 'duplicate', `is already in ${earlier}; give it once`));
      first.set(id, `comparables.${name}`);
    });
  }
  added.forEach((sale, i) => errors.push(...addedErrors(sale, ['comparables', 'added', i], errorAt)));
  const chosen = pinned.length + added.length;
  if (chosen > MOST_CHANGES.chosen) {
    const msg = `must have at most ${MOST_CHANGES.chosen} pinned and added sales in all`;
    errors.push(errorAt(['comparables'], 'too_long', msg, { max_items: MOST_CHANGES.chosen }));
  }
  if (comparables.only_pinned === true && chosen === 0) {
    const msg = 'needs at least one pinned or added sale';
    errors.push(errorAt(['comparables', 'only_pinned'], 'missing', msg));
  }
  const lines = new Set<string>();
  recordsIn(request.adjustments).forEach(({ comp_id: id, field }, i) => {
    const line = JSON.stringify([id, field]);
    if (lines.has(line)) {
      errors.push(errorAt(['adjustments', i], 'duplicate', 'is the second amount of one line; give one'));
    }
    lines.add(line);
  });
  for (const [path, list] of [
    [['comparables', 'excluded'], excluded],
    [['adjustments'], recordsIn(request.adjustments)],
  ] as const) {
    list.forEach(({ reason }, i) => {
      if (typeof reason !== 'string' || reason === '' || reason.trim() !== '') return;
      errors.push(errorAt([...path, i, 'reason'], 'missing', 'must say why'));
    });
  }
  return errors;
}

const DESCRIBED = ['sale_price', 'sale_date', 'address', 'latitude', 'longitude', 'property_fields'];

function addedErrors(sale: Section, path: (string | number)[], errorAt: ErrorAt): FieldError[] {
  if (isGiven(sale.comp_id)) {
    const others = DESCRIBED.filter((name) => isGiven(sale[name]));
    const msg = `must be omitted with comp_id: this service knows the sale`;
    return others.map((name) => errorAt([...path, name], 'not_with_comp_id', msg));
  }
  const missing = ['sale_price', 'sale_date'].filter((name) => !isGiven(sale[name]));
  const ofPlace: ErrorAt = (at, ...rest) => errorAt([...path, ...at.slice(1)], ...rest);
  return [
    ...missing.map((name) => errorAt([...path, name], 'missing', 'is required without comp_id')),
    ...locationErrors({ location: sale }, ofPlace),
  ];
}

function recordsIn(list: unknown): readonly Section[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** Changes that do not fit the data, reported like other invalid members. */
export function changesValidationError({ problems }: ChangesError): ValidationError {
  return new ValidationError(
    problems.map(({ path, type, message }) => ({
      loc: ['body', ...path],
      msg: message,
      type,
      input: null,
      ctx: {},
    })),
  );
}
