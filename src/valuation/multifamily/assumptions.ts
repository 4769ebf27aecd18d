import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';

/** The figures, their names in the operator's file, and limits of the values. */
const FIGURES = [
  { name: 'vacancy', key: 'vacancy', least: 0, most: 0.5 },
  { name: 'expenseRatio', key: 'expense_ratio', least: 0, most: 0.9 },
  { name: 'capRate', key: 'cap_rate', least: 0.005, most: 0.4 },
  { name: 'grossRentMultiplier', key: 'gross_rent_multiplier', least: 1, most: 60 },
] as const;

/** The operator's own figures for a market; null = the market's figure or the default is used. */
export type OperatorAssumptions = {
  readonly [Name in (typeof FIGURES)[number]['name']]: OperatorFigure | null;
};

interface OperatorFigure {
  readonly value: number;
  /** Standard deviation; 0 = certain. */
  readonly spread: number;
}

/** A figure that an approach uses. `spread` is a standard deviation in the figure's own unit. */
export interface Assumption {
  readonly value: number;
  readonly source: 'market' | 'operator' | 'default';
  readonly spread: number;
}

export const NO_ASSUMPTIONS: OperatorAssumptions = {
  vacancy: null,
  expenseRatio: null,
  capRate: null,
  grossRentMultiplier: null,
};

/**
 * Defaults. With a cap rate from the market's own sales they hardly change a value, because the sales'
 * incomes are computed in the same way as the building's. With an operator's cap rate they do.
 */
const DEFAULTS = {
  /** Census Bureau, Housing Vacancy Survey: US rentals had 5.6 to 7.3 % in 2015–2024. */
  vacancy: { value: 0.065, spread: 0.02 },
  /**
   * Operating expenses with taxes, as a share of effective gross income. Surveys of professionally
   * managed apartments report 35 to 45 % (National Apartment Association, annual survey of income
   * and expenses); owners of 2–4 units pay no manager.
   */
  smallBuildings: 0.35,
  largeBuildings: 0.4,
  /** Per decade of age after the first: old buildings cost more to maintain. */
  perDecade: 0.01,
  mostDecades: 5,
  expenseSpread: 0.06,
} as const;

export function vacancyOf(operator: OperatorAssumptions): Assumption {
  if (operator.vacancy !== null) return { ...operator.vacancy, source: 'operator' };
  return { ...DEFAULTS.vacancy, source: 'default' };
}

/** @param ageYears null = unknown */
export function expenseRatioOf(
  operator: OperatorAssumptions,
  units: number,
  ageYears: number | null,
): Assumption {
  if (operator.expenseRatio !== null) return { ...operator.expenseRatio, source: 'operator' };
  const bySize = units <= 4 ? DEFAULTS.smallBuildings : DEFAULTS.largeBuildings;
  const decades = Math.min(DEFAULTS.mostDecades, Math.max(0, (ageYears ?? 0) / 10 - 1));
  return {
    value: bySize + DEFAULTS.perDecade * decades,
    source: 'default',
    spread: DEFAULTS.expenseSpread,
  };
}

/** Net operating income as a share of gross rent: after vacancy and expenses. */
export function netShareOf(vacancy: Assumption, expenseRatio: Assumption): number {
  return (1 - vacancy.value) * (1 - expenseRatio.value);
}

/** The operator's figures for all markets, and those of single markets, which take precedence. */
export interface AssumptionFile {
  readonly everywhere: OperatorAssumptions;
  readonly byMarket: ReadonlyMap<string, OperatorAssumptions>;
}

export const NO_ASSUMPTION_FILE: AssumptionFile = { everywhere: NO_ASSUMPTIONS, byMarket: new Map() };

/**
 * Reads `{"vacancy": 0.05, "cap_rate": {"value": 0.065, "spread": 0.005}, "markets":
 * {"wi-milwaukee": {"expense_ratio": 0.45}}}`.
 *
 * @throws Error that names the invalid member
 */
export function parseAssumptions(json: JsonValue): AssumptionFile {
  const { markets = {}, ...figures } = objectAt('the file', json);
  const everywhere = figuresOf('', figures, NO_ASSUMPTIONS);
  const byMarket = Object.entries(objectAt('markets', markets)).map(
    ([marketId, own]): [string, OperatorAssumptions] => {
      const path = `markets.${marketId}`;
      return [marketId, figuresOf(`${path}.`, objectAt(path, own ?? null), everywhere)];
    },
  );
  return { everywhere, byMarket: new Map(byMarket) };
}

export function assumptionsFor(file: AssumptionFile, marketId: string): OperatorAssumptions {
  return file.byMarket.get(marketId) ?? file.everywhere;
}

/** One line per market, printed at start. */
export function describeAssumptions({ everywhere, byMarket }: AssumptionFile): string[] {
  const line = (where: string, said: OperatorAssumptions): string => {
    const figures = FIGURES.flatMap(({ name, key }) => {
      const figure = said[name];
      return figure === null ? [] : [`${key}=${figure.value}±${figure.spread}`];
    });
    return `${where}: ${figures.length > 0 ? figures.join(' ') : 'nothing, so the market and the defaults decide'}`;
  };
  return [line('all markets', everywhere), ...[...byMarket].map(([marketId, said]) => line(marketId, said))];
}

function figuresOf(path: string, given: JsonObject, otherwise: OperatorAssumptions): OperatorAssumptions {
  const keys: readonly string[] = FIGURES.map(({ key }) => key);
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    throw new Error(`${path}${unknown} is not an assumption. Use ${keys.join(', ')} or markets.`);
  }
  const figures = { ...otherwise };
  for (const { name, key, least, most } of FIGURES) {
    const value = given[key];
    if (value !== undefined) figures[name] = figureOf(`${path}${key}`, value, least, most);
  }
  return figures;
}

/** A plain number has spread 0. */
function figureOf(path: string, given: JsonValue, least: number, most: number): OperatorFigure {
  const { value, spread = 0, ...more } = typeof given === 'number' ? { value: given } : objectAt(path, given);
  const [surplus] = Object.keys(more);
  if (surplus !== undefined) throw new Error(`${path}.${surplus} is unknown; write value and spread.`);
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw new Error(`${path} is ${JSON.stringify(value)}; it must be a number from ${least} to ${most}.`);
  }
  if (typeof spread !== 'number' || !(spread >= 0 && spread <= value)) {
    throw new Error(
      `${path}.spread is ${JSON.stringify(spread)}; it is a standard deviation, from 0 to the value itself.`,
    );
  }
  return { value, spread };
}

function objectAt(path: string, json: JsonValue): JsonObject {
  if (isJsonObject(json)) return json;
  throw new Error(`${path} is ${JSON.stringify(json)}; it must be an object.`);
}
