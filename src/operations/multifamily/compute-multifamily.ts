import { formatDay } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import { buildingFieldNameOf } from '../../schemas/field-names.ts';
import { percentileUsd } from '../../valuation/calibration/distribution.ts';
import type { Assumption } from '../../valuation/multifamily/assumptions.ts';
import { MULTIFAMILY, SMALL_UNITS } from '../../valuation/multifamily/multifamily-constants.ts';
import {
  valueBuilding,
  type Approach,
  type RentApproachModels,
  type ValuedBuilding,
  type RentAssumptions,
} from '../../valuation/multifamily/value-building.ts';
import type { OperationDeps } from '../deps.ts';
import type { BoundActiveMarket } from '../market-data/markets.ts';
import { propertyMembers, saleComparableOf } from '../property/property-members.ts';
import {
  comparablesList,
  percentilesOf,
  staleWarnings,
  valuationWarnings,
} from '../valuation/value-members.ts';
import type {
  ComputedOf,
  MultifamilyInputs,
  MultifamilyValue,
  PropertyValue,
  RentInputs,
} from '../valuation-types.ts';

type Approaches = MultifamilyValue['approaches'];
type Agreement = NonNullable<MultifamilyValue['agreement']>;
type RentModels = NonNullable<MultifamilyValue['rentModels']>;

/** @throws PlumblineError `gone` if the model or the data was pruned */
export async function computeMultifamily(
  deps: Pick<OperationDeps, 'markets'>,
  inputs: MultifamilyInputs,
  valuationId: string,
): Promise<ComputedOf<'multifamily'>> {
  const market = await deps.markets.ofInputs(inputs, inputs.salesDatasetId);
  const { approaches, rentModels } = await rentModelsOf(deps, inputs.rent);
  const { asOf, search, subject } = inputs;
  const moment = { asOf, knownBy: asOf };
  const valued = valueBuilding(market.bound, approaches, subject.home, subject.sources, moment, search);
  const { items, candidates } = valued.property.comparables;
  const comparables = items.map((listed) => {
    const sale = saleComparableOf(market, listed, buildingFieldNameOf);
    const pricePerUnit = sale.totalUnits ? Math.round(sale.salePrice / sale.totalUnits) : null;
    return { ...sale, pricePerUnit };
  });
  const warnings = [
    ...valuationWarnings(market, inputs, subject, [valued.property], buildingFieldNameOf),
    ...('rental' in approaches ? staleWarnings({ bound: approaches.rental }, asOf) : []),
    ...(valued.isLimitedToSales ? [HELD] : []),
    ...(valued.disagreement > 1 ? [DISSENT] : []),
  ];
  return {
    valuation: { ...buildingMembers(valuationId, market, inputs, valued), rentModels, warnings },
    comparables: comparablesList(search, comparables, candidates),
  };
}

async function rentModelsOf(
  { markets }: Pick<OperationDeps, 'markets'>,
  inputs: RentInputs,
): Promise<{ readonly approaches: RentApproachModels; readonly rentModels: RentModels | null }> {
  if ('reason' in inputs) return { approaches: inputs, rentModels: null };
  const rental = await markets.ofInputs(inputs.rental);
  const { model, saleCount, bound } = await markets.buildingsOf(inputs.buildingsModelId, inputs.assumptions);
  if (bound === null) {
    const reason =
      `Market ${model.marketId} had sales of ${saleCount} buildings with known unit counts on ${formatDay(model.trainedOn)}; ` +
      `a multiplier needs ${MULTIFAMILY.minBuildings}.`;
    return { approaches: { reason }, rentModels: null };
  }
  return {
    approaches: { rental: rental.bound, buildings: bound },
    rentModels: { rental: modelOf(rental), multifamily: modelOf({ model }) },
  };
}

function modelOf({ model }: Pick<BoundActiveMarket, 'model'>): RentModels['rental'] {
  return { id: model.modelId, version: formatDay(model.trainedOn), sha256: model.sha256 };
}

const DISSENT: Warning = {
  code: 'approaches_disagree',
  field: null,
  message:
    'The approaches differ more than in 95% of sales of buildings of this size, so the interval was ' +
    'widened in proportion. The building may be unlike any that was sold here.',
};

const HELD: Warning = {
  code: 'held_to_property_value',
  field: null,
  message:
    'The rent approaches differ from the property value by more than in 95% of sales of such buildings, ' +
    'so their weights were reduced to that limit.',
};

/** The members of a property value, and those of the building's units. All money is in whole dollars. */
function buildingMembers(
  valuationId: string,
  market: BoundActiveMarket,
  inputs: MultifamilyInputs,
  valued: ValuedBuilding,
): Omit<MultifamilyValue, 'rentModels' | 'warnings'> {
  const { property, pointUsd, distribution } = valued;
  const reconciled = { ...property, estimate: { ...property.estimate, pointUsd }, distribution };
  const { common, outcome } = propertyMembers(valuationId, market, inputs, reconciled, buildingFieldNameOf);
  const perUnit = (usd: number): number => Math.round(usd / common.totalUnits);
  return {
    ...common,
    pricePerUnit: perUnit(common.estimatedValue),
    pricePerUnitLow: perUnit(common.estimatedValueLow),
    pricePerUnitHigh: perUnit(common.estimatedValueHigh),
    pricePerUnitDistribution: {
      mean: perUnit(common.probabilisticDistribution.mean),
      percentiles: percentilesOf((level) => perUnit(percentileUsd(distribution, level))),
    },
    approaches: approachesOf(valued),
    agreement: common.totalUnits <= SMALL_UNITS ? agreementOf(valued, outcome.accuracy) : null,
    ...outcome,
    estimators: valued.approaches.flatMap(({ name, valueUsd, weight }) =>
      valueUsd === null ? [] : [{ name, value: valueUsd, weight }],
    ),
  };
}

function approachesOf({ approaches, rent }: ValuedBuilding): Approaches {
  const [salesComparison, multiplier, income] = approaches;
  const basis = rent && rentBasisOf(rent);
  return {
    salesComparison: approachMembers(salesComparison),
    grossRentMultiplier: {
      ...approachMembers(multiplier),
      assumptions: rent && basis && { ...basis, multiplier: rounded(rent.grossRentMultiplier) },
    },
    income: {
      ...approachMembers(income),
      assumptions: rent &&
        basis && {
          ...basis,
          vacancy: rounded(rent.vacancy),
          expenseRatio: rounded(rent.expenseRatio),
          netOperatingIncome: rent.netIncomeUsd,
          capRate: rounded(rent.capRate),
        },
    },
  };
}

function approachMembers(approach: Approach): Approaches['salesComparison'] {
  const { valueUsd, weight, lowUsd, highUsd, reason } = approach;
  return { value: valueUsd, weight, low: lowUsd, high: highUsd, reason };
}

/** Six digits are more precise than any of the assumptions. */
function rounded({ value, source, spread }: Assumption): Assumption {
  return { value: Number(value.toPrecision(6)), source, spread: Number(spread.toPrecision(6)) };
}

function rentBasisOf({ grossRent }: RentAssumptions) {
  return {
    annualRent: grossRent.annualUsd,
    rents: grossRent.mix.map((group) => ({
      units: group.count,
      bedrooms: group.bedrooms,
      bathrooms: group.bathrooms,
      size: group.sizeSqft,
      monthlyRent: group.monthlyRentUsd,
      monthlyRentLow: group.lowUsd,
      monthlyRentHigh: group.highUsd,
    })),
  };
}

/** Without rents the building value is the property value, with the accuracy of the property model. */
function agreementOf(valued: ValuedBuilding, accuracy: PropertyValue['accuracy']): Agreement {
  const { measured, pointUsd, property } = valued;
  const propertyValue = property.estimate.pointUsd;
  const differencePct = Math.round(10_000 * (pointUsd / propertyValue - 1)) / 100;
  if (measured === null) {
    return {
      propertyValue,
      differencePct,
      measuredDisagreementPct: 0,
      betterMeasured: 'property',
      propertyMdape: accuracy?.mdape ?? null,
      multifamilyMdape: accuracy?.mdape ?? null,
      n: accuracy?.n ?? 0,
    };
  }
  const { n, propertyMdape, multifamilyMdape, logDisagreement } = measured;
  return {
    propertyValue,
    differencePct,
    // Rounded up, so that a difference within the limit is never reported as larger.
    measuredDisagreementPct: Math.ceil(10_000 * Math.expm1(logDisagreement)) / 100,
    betterMeasured: multifamilyMdape < propertyMdape ? 'multifamily' : 'property',
    propertyMdape,
    multifamilyMdape,
    n,
  };
}
