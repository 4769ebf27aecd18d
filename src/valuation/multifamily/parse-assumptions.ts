import type { JsonObject, JsonValue } from '../../domain/json.ts';
import {
  ASSUMPTION_LIMITS,
  NO_ASSUMPTIONS,
  type OperatorAssumptions,
  type OperatorFigure,
} from './assumptions.ts';

/** The operator's figures for all markets, and those of single markets, which take precedence. */
export interface AssumptionFile {
  readonly everywhere: OperatorAssumptions;
  readonly byMarket: ReadonlyMap<string, OperatorAssumptions>;
}

export const NO_ASSUMPTION_FILE: AssumptionFile = { everywhere: NO_ASSUMPTIONS, byMarket: new Map() };

type Name = keyof OperatorAssumptions;
const NAMES: readonly Name[] = ['vacancy', 'expenseRatio', 'capRate', 'grossRentMultiplier'];

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
    const figures = NAMES.flatMap((name) => {
      const figure = said[name];
      return figure === null ? [] : [`${ASSUMPTION_LIMITS[name].key}=${figure.value}±${figure.spread}`];
    });
    return `${where}: ${figures.length > 0 ? figures.join(' ') : 'nothing, so the market and the defaults decide'}`;
  };
  return [line('all markets', everywhere), ...[...byMarket].map(([marketId, said]) => line(marketId, said))];
}

function figuresOf(path: string, given: JsonObject, otherwise: OperatorAssumptions): OperatorAssumptions {
  const known = new Map(NAMES.map((name) => [ASSUMPTION_LIMITS[name].key as string, name]));
  const unknown = Object.keys(given).find((key) => !known.has(key));
  if (unknown !== undefined) {
    throw new Error(
      `${path}${unknown} is not an assumption. Use ${[...known.keys()].join(', ')} or markets.`,
    );
  }
  const figure = (name: Name): OperatorFigure | null => {
    const { key, least, most } = ASSUMPTION_LIMITS[name];
    const value = given[key];
    return value === undefined ? otherwise[name] : figureOf(`${path}${key}`, value, least, most);
  };
  return {
    vacancy: figure('vacancy'),
    expenseRatio: figure('expenseRatio'),
    capRate: figure('capRate'),
    grossRentMultiplier: figure('grossRentMultiplier'),
  };
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
  if (isObject(json)) return json;
  throw new Error(`${path} is ${JSON.stringify(json)}; it must be an object.`);
}

function isObject(json: JsonValue): json is JsonObject {
  return json !== null && typeof json === 'object' && !Array.isArray(json);
}
