import type { Day } from '../../domain/day.ts';
import type { PropertyType } from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import type { LocationRequest } from '../../locate/located.ts';
import type { AreaLevel, MarketAreasBody, MarketIndexBody } from '../../schemas/market-index.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { MarketInputs } from '../market-data/market-catalog.ts';

/** Which market, and as of when. */
export interface MarketScopeRequest {
  readonly marketId: string | null;
  readonly location: LocationRequest | null;
  readonly propertyType: PropertyType | null;
  readonly asOf: Day;
  readonly warnings: readonly Warning[];
}

/** A market with the models and data of a day. */
export interface MarketScope {
  readonly marketId: string;
  readonly asOf: Day;
  readonly propertyType: PropertyType | null;
  /** Null without a model by that day. */
  readonly prices: MarketInputs | null;
  readonly rents: MarketInputs | null;
  readonly warnings: readonly Warning[];
}

export interface MarketIndexRequest extends MarketScopeRequest {
  /** `tract:55079000101`; null for the whole market. */
  readonly area: string | null;
  readonly forecastMonths: number;
  /** Factor of the standard deviation of what prices may still move after the last month of sales. */
  readonly stress: number;
}

export interface MarketIndexInputs
  extends MarketScope, Pick<MarketIndexRequest, 'area' | 'forecastMonths' | 'stress'> {}

export type ComputeMarketIndex = (inputs: MarketIndexInputs) => Promise<ResponseOf<typeof MarketIndexBody>>;

export interface MarketAreasRequest extends MarketScopeRequest {
  /** Null: the smallest kind that is known. */
  readonly level: AreaLevel | null;
  readonly withOutlines: boolean;
}

interface MarketAreasInputs extends MarketScope, Pick<MarketAreasRequest, 'level' | 'withOutlines'> {}

export type ComputeMarketAreas = (inputs: MarketAreasInputs) => Promise<ResponseOf<typeof MarketAreasBody>>;
