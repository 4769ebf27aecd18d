import { formatDay, type Day } from '../../domain/day.ts';
import { attributesOf } from '../../domain/property.ts';
import { PlumblineError } from '../../errors.ts';
import { geohash8 } from '../../geo/geohash.ts';
import type { Located } from '../../locate/located.ts';
import { SEARCH_DEFAULTS } from '../../schemas/valuation-requests.ts';
import type { ParcelRow } from '../../store/property-records.ts';
import type { ParcelValue } from '../../store/tables/sweeps.ts';
import type { OperationDeps } from '../deps.ts';
import { modelsOf, newestInputs, noModelYet, type MarketInputs } from '../market-data/market-catalog.ts';
import type { ActiveMarket } from '../market-data/markets.ts';
import { propertyInputsIn } from '../property/gather-property-inputs.ts';
import type { PropertyValuationRequest } from '../valuation-types.ts';
import { computeFromInputs } from '../value.ts';

/** The parcels, the day, the model and the data of a sweep. */
export interface SweepInputs {
  readonly marketId: string;
  readonly asOf: Day;
  readonly inputs: MarketInputs;
  readonly parcelsDatasetId: number;
}

/**
 * The newest inputs of a market on a day.
 *
 * @throws PlumblineError `not_found` for an unknown market or one without parcels, `insufficient_data` without a model
 */
export async function pinSweep(
  { markets }: Pick<OperationDeps, 'markets'>,
  marketId: string,
  asOf: Day,
): Promise<SweepInputs> {
  const entry = (await markets.list()).find((one) => one.marketId === marketId);
  if (!entry) throw new PlumblineError('not_found', `There is no market "${marketId}".`);
  if (entry.parcels === null) {
    throw new PlumblineError('not_found', `Market ${marketId} has no parcels. An operator must import them.`);
  }
  const model = modelsOf(entry, 'property').findLast(({ trainedOn }) => trainedOn <= asOf);
  if (!model) throw noModelYet('property', entry, asOf);
  return { marketId, asOf, inputs: newestInputs(entry, model), parcelsDatasetId: entry.parcels.datasetId };
}

type ParcelDeps = Pick<OperationDeps, 'store' | 'markets' | 'places'>;

/**
 * Values parcels as single valuations at their points do, without listing comparables. A parcel that cannot be valued
 * has an error code.
 *
 * @param onInternalError receives a defect; its parcel has the code `internal_error`
 * @throws PlumblineError if something is unavailable, so that the parcels must be valued later
 */
export async function valueParcels(
  deps: ParcelDeps,
  sweep: SweepInputs,
  parcels: readonly ParcelRow[],
  onInternalError: (error: unknown, parcelId: string) => void,
): Promise<ParcelValue[]> {
  const values: ParcelValue[] = [];
  for (const parcel of parcels) {
    try {
      values.push(await valueParcel(deps, sweep, parcel));
    } catch (error) {
      const { parcelId } = parcel;
      if (error instanceof PlumblineError && error.code !== 'internal_error') {
        if (error.status >= 500) throw error;
        values.push(withoutValue(parcelId, error.code));
      } else {
        onInternalError(error, parcelId);
        values.push(withoutValue(parcelId, 'internal_error'));
      }
    }
  }
  return values;
}

export function withoutValue(parcelId: string, errorCode: string): ParcelValue {
  return { parcelId, valueUsd: null, lowUsd: null, highUsd: null, fsd: null, errorCode };
}

async function valueParcel(
  deps: ParcelDeps,
  { asOf, inputs: pinned, marketId }: SweepInputs,
  parcel: ParcelRow,
): Promise<ParcelValue> {
  const { parcelId } = parcel;
  if (!(await deps.markets.isCovered(pinned, parcel, asOf))) {
    const message = `Market ${marketId} has too few sales around parcel ${parcelId} on ${formatDay(asOf)}.`;
    throw new PlumblineError('outside_coverage', message);
  }
  const market: ActiveMarket = await deps.markets.columnsOf(pinned);
  const known = new Map([[parcelId, parcel]]);
  const inputs = await propertyInputsIn(deps, market, locatedOn(parcel), requestOf(parcel, asOf), known);
  const { valuation } = await computeFromInputs(deps, 'property', { ...inputs, salesDatasetId: null }, '');
  return {
    parcelId,
    valueUsd: valuation.pointValue,
    lowUsd: valuation.estimatedValueLow,
    highUsd: valuation.estimatedValueHigh,
    fsd: valuation.fsd,
    errorCode: null,
  };
}

/** The place of a parcel. Its id says which of several parcels with one point is meant. */
function locatedOn({ parcelId, lat, lon }: ParcelRow): Located {
  return {
    lat,
    lon,
    geohash8: geohash8(lat, lon),
    address: null,
    matchLevel: 'point',
    accuracyM: null,
    parcelId,
    parcels: [{ parcelIds: [parcelId], awayM: 0, tie: 'distance' }],
    unit: '',
    unitCount: 0,
    matchedPoint: null,
    warnings: [],
  };
}

/** A valuation of what the record says. Comparables that are not listed do not change a value. */
function requestOf({ lat, lon }: ParcelRow, asOf: Day): PropertyValuationRequest {
  return {
    location: { address: null, lat, lon, mapsPlace: null },
    search: { ...SEARCH_DEFAULTS, lookbackMonths: null },
    asOf,
    propertyType: null,
    attributes: attributesOf({}),
    warnings: [],
  };
}
