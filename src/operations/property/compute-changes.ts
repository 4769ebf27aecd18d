import { formatDay } from '../../domain/day.ts';
import { formatCount, formatUsd } from '../../domain/display-format.ts';
import { featureField } from '../../domain/own-features.ts';
import { ATTRIBUTES } from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import { PlumblineError } from '../../errors.ts';
import { fieldNameOf } from '../../schemas/field-names.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { ValuationChanges } from '../../schemas/property-response.ts';
import { percentileUsd } from '../../valuation/calibration/distribution.ts';
import { valueChangedHome, type ChangedHome } from '../../valuation/challenge/value-changed-home.ts';
import { addedId } from '../../valuation/comparables/sales-data.ts';
import { rowWithText, textAt } from '../../valuation/typed-columns.ts';
import type { ListedComparable } from '../../valuation/value-home.ts';
import type { BoundActiveMarket } from '../market-data/markets.ts';
import {
  attributeValue,
  comparableHomeMembers,
  comparablePlaceOf,
  comparablesList,
  valuationWarnings,
  valueFigures,
} from '../valuation/value-members.ts';
import type {
  Appeal,
  ComputedOf,
  DescribedSale,
  DescribedSubject,
  PropertyChanges,
  PropertyInputs,
  SaleComparable,
} from '../valuation-types.ts';
import { namingEarlierSales } from './earlier-sales.ts';
import { propertyMembers, propertyValuation, saleComparableOf, saleMembers } from './property-members.ts';

/** A valuation with changes, beside the same without them. */
export function computeChanges(
  market: BoundActiveMarket,
  inputs: PropertyInputs,
  changes: PropertyChanges,
  valuationId: string,
): ComputedOf<'property'> {
  const { asOf, search, subject } = inputs;
  const { columns } = market;
  const original = changes.original ?? subject;
  const rowOf = (compId: string): number => {
    const position = changes.added.findIndex((_, i) => addedId(i) === compId);
    const row = position >= 0 ? columns.n + position : rowWithText(columns.recordId, compId);
    if (row === null) throw new PlumblineError('gone', `The sale ${compId} is no longer kept.`);
    return row;
  };
  const changed = valueChangedHome(
    market.bound,
    original,
    subject,
    { asOf, knownBy: asOf },
    {
      pinned: changes.pinned.map(rowOf),
      excluded: changes.excluded.map(({ compId }) => rowOf(compId)),
      added: changes.added.map((sale) => ({ ...sale, ...sale.subject })),
      isFilled: changes.isFilled,
      replaced: changes.added.flatMap(({ replaces }) => (replaces ? rowOf(replaces) : [])),
      overrides: changes.adjustments.map((line) => ({ ...line, row: rowOf(line.compId) })),
      renovations: changes.renovations,
    },
  );
  const members = propertyMembers(valuationId, market, inputs, changed.value);
  const warnings = [
    ...valuationWarnings(market, inputs, subject, [changed.value], fieldNameOf),
    ...addedSaleWarnings(market, changed, changes.added),
    ...choiceWarnings(changed, changes),
    ...renovationWarnings(changed, changes),
  ];
  const pinned = new Set(changes.pinned.map(rowOf));
  const named = namingEarlierSales(market, inputs);
  const itemOf = (listed: ListedComparable): SaleComparable => {
    const item = named(listed);
    const position = item.row - columns.n;
    if (position >= 0) return addedComparable(changes.added[position], item, addedId(position));
    const choice = pinned.has(item.row) ? 'pinned' : 'similar';
    return { ...saleComparableOf(market, item, fieldNameOf), choice };
  };
  return {
    valuation: propertyValuation(members, warnings),
    comparables: comparablesList(
      search,
      changed.items.slice(0, search.numComps).map(itemOf),
      changed.candidates,
    ),
    changes: changesMembers(market, changed, changes, original, subject),
  };
}

function changesMembers(
  { columns }: BoundActiveMarket,
  { before, value, split, items, excluded, renovations }: ChangedHome,
  changes: PropertyChanges,
  original: DescribedSubject,
  subject: DescribedSubject,
): ResponseOf<typeof ValuationChanges> {
  const { pointUsd, estimators } = before.estimate;
  const idOf = (row: number) => (row < columns.n ? textAt(columns.recordId, row) : addedId(row - columns.n));
  const { asRepaired } = renovations;
  return {
    before: {
      ...valueFigures(pointUsd, before.distribution),
      estimators: estimators.map(({ name, valueUsd, weight }) => ({ name, value: valueUsd, weight })),
    },
    split: split.map(({ cause, amountUsd }) => ({ cause, amount: amountUsd })),
    facts: correctedFacts(original, subject),
    excluded: excluded.map((item) => {
      const compId = idOf(item.row);
      const { formattedAddress } = comparablePlaceOf(columns, item.row, item.distanceMi);
      return {
        compId,
        reason: changes.excluded.find((one) => one.compId === compId)?.reason ?? '',
        formattedAddress,
        salePrice: item.salePriceUsd,
        saleDate: formatDay(columns.soldOn[item.row]),
        adjustedPrice: item.adjustedPriceUsd,
        similarity: item.similarity,
      };
    }),
    adjustments: changes.adjustments.map(({ compId, field, amountUsd, reason }) => {
      const item = items.find(({ row }) => idOf(row) === compId);
      const computed = item?.computedAdjustments.find((line) => line.field === field);
      return { compId, field, computedAmount: computed?.amount ?? 0, amount: amountUsd, reason };
    }),
    renovations:
      changes.renovations.length === 0
        ? null
        : {
            items: changes.renovations.map(({ description, costUsd, year }, i) => ({
              description,
              cost: costUsd,
              year,
              isPlanned: renovations.isPlanned[i],
              amount: renovations.addedUsd[i],
            })),
            asIs: value.estimate.pointUsd,
            asRepaired: {
              estimatedValue: asRepaired.pointUsd,
              estimatedValueLow: percentileUsd(asRepaired.distribution, 5),
              estimatedValueHigh: percentileUsd(asRepaired.distribution, 95),
            },
          },
    ...appealMembers(changes.appeal),
  };
}

function appealMembers({ factsReason, assessment }: Appeal = {}) {
  return {
    ...(factsReason && { factsReason }),
    ...(assessment && { assessment: { value: assessment.valueUsd, year: assessment.year } }),
  };
}

/** Facts that differ between the home as it was described and as it is described now. */
function correctedFacts(before: DescribedSubject, after: DescribedSubject) {
  if (before === after) return [];
  const ofType = { field: 'property_type', before: before.home.type, after: after.home.type };
  const attributes = ATTRIBUTES.map((attribute) => ({
    field: fieldNameOf(attribute),
    before: attributeValue(attribute, before.home.attributes[attribute]),
    after: attributeValue(attribute, after.home.attributes[attribute]),
  }));
  const features = Object.keys(after.home.features).map((name) => ({
    field: featureField(name),
    before: before.home.features[name] ?? null,
    after: after.home.features[name],
  }));
  return [ofType, ...attributes, ...features].filter((fact) => fact.before !== fact.after);
}

/** A sale that the caller described, in the form of the market's own. */
function addedComparable(
  { address, soldOn, subject }: DescribedSale,
  item: ListedComparable,
  compId: string,
): SaleComparable {
  const { home } = subject;
  const known = {
    compId,
    formattedAddress: address,
    streetAddress: null,
    city: null,
    stateCode: null,
    postalCode: null,
  };
  const source = { name: null, recordId: compId, license: null, retrievedAt: null };
  return {
    ...known,
    ...comparableHomeMembers(home, item.distanceMi),
    ...saleMembers(item, soldOn, home.attributes.livingAreaSqft, fieldNameOf),
    armsLength: null,
    source,
    choice: 'added',
  };
}

/**
 * Adjusted prices so many times the value, or so small a part of it, are likely errors of entry: of the comparables that
 * the model chooses in the sample county, fewer than 1 of 100 are (test/challenge-warnings.test.ts).
 */
const FAR_FROM_VALUE = 2;

/** What nothing confirms, what the data contradict, and what is far from the value. */
function addedSaleWarnings(
  { columns }: BoundActiveMarket,
  { before, items }: ChangedHome,
  added: PropertyChanges['added'],
): Warning[] {
  const beforeUsd = before.estimate.pointUsd;
  return added.flatMap((sale, i): Warning[] => {
    const { address, soldOn, priceUsd, isVerified, contradicts, isPriceChecked } = sale;
    const field = `comparables.added.${i}`;
    const { lat, lon } = sale.subject.home;
    // Before 2026-11-29 a sale without an address was named by its id.
    const place = address ?? (isPriceChecked ? `${lat}, ${lon}` : addedId(i));
    const stated = `${place} for ${formatUsd(priceUsd)} on ${formatDay(soldOn)}`;
    const warnings: Warning[] = [];
    const row = contradicts === undefined ? null : rowWithText(columns.recordId, contradicts);
    if (row !== null) {
      const recorded = `${formatUsd(columns.priceUsd[row])} on ${formatDay(columns.soldOn[row])}`;
      const message = `The data of this market have this home sold for ${recorded} (record ${contradicts}), not the added sale of ${stated}.`;
      warnings.push({ code: 'contradicted_sale', field, message });
    } else if (!isVerified) {
      const message = `The data of this market have no sale like the added one of ${stated}, so nothing confirms it.`;
      warnings.push({ code: 'unverified_sale', field, message });
    }
    const item = items.find((each) => each.row === columns.n + i);
    if (isPriceChecked && item) {
      const times = item.adjustedPriceUsd / beforeUsd;
      if (times > FAR_FROM_VALUE || times < 1 / FAR_FROM_VALUE) {
        const than = times > 1 ? 'more than twice' : 'less than half of';
        const message = `The adjusted price of the added sale of ${stated} is ${formatUsd(item.adjustedPriceUsd)}, ${than} the value without changes, ${formatUsd(beforeUsd)}. Check its price and details.`;
        warnings.push({ code: 'far_from_value', field, message });
      }
    }
    return warnings;
  });
}

/** Renovations that add more than half of the value, as a mistyped cost does. */
function renovationWarnings(
  { before, renovations }: ChangedHome,
  { renovations: given, isFullyChecked }: PropertyChanges,
): Warning[] {
  const beforeUsd = before.estimate.pointUsd;
  return given.flatMap(({ description }, i): Warning[] => {
    const addedUsd = renovations.addedUsd[i];
    if (!isFullyChecked || addedUsd <= beforeUsd / FAR_FROM_VALUE) return [];
    const message = `The renovation “${description}” adds ${formatUsd(addedUsd)}, more than half of the value without changes, ${formatUsd(beforeUsd)}. Check its cost.`;
    return [{ code: 'far_from_value', field: `renovations.${i}.cost`, message }];
  });
}

/** What a reader must know about the choice of comparables. */
function choiceWarnings(
  { selection: { byPrice, isMostSimilarExcluded } }: ChangedHome,
  { isFullyChecked }: PropertyChanges,
): Warning[] {
  const field = 'comparables';
  const mostSimilar: Warning = {
    code: 'most_similar_excluded',
    field,
    message: 'The most similar sale, or two of the five most similar, were excluded.',
  };
  const byPriceWarnings = byPrice
    ? [
        {
          code: 'comparables_selected_by_price',
          field,
          message: isFullyChecked
            ? `The comparables look selected by price: ${formatCount(byPrice.asFar)} of ${formatCount(byPrice.randomSets)} random sets of as many equally similar sales have an average adjusted price this ${byPrice.isLow ? 'low' : 'high'}.`
            : 'The comparables look selected by price: fewer than 5% of random sets of as many equally similar sales have an average adjusted price this far from the others.',
        } as const,
      ]
    : [];
  return [...byPriceWarnings, ...(isMostSimilarExcluded ? [mostSimilar] : [])];
}
