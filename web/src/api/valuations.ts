import type { Static } from 'typebox';
import type {
  DescribedHomeBody,
  MissingDetailsBody,
  ValuedParcelBody,
} from '../../../src/api/console/value.ts';
import type { ComparableRecordsBody } from '../../../src/schemas/challenges.ts';
import type { Warning } from '../../../src/schemas/location.ts';
import type { MultifamilyValuationBody } from '../../../src/schemas/multifamily-response.ts';
import type { PropertyValuationBody, valueFigures } from '../../../src/schemas/property-response.ts';
import type { RentalValuationBody } from '../../../src/schemas/rental-response.ts';
import type { ValueHistoryBody } from '../../../src/schemas/value-history.ts';
import { get, post } from './request.ts';

export type PropertyValuation = Static<typeof PropertyValuationBody>;
export type RentalValuation = Static<typeof RentalValuationBody>;
export type BuildingValuation = Static<typeof MultifamilyValuationBody>;
export type SaleComparable = PropertyValuation['comparables']['items'][number];
export type RentComparable = RentalValuation['comparables']['items'][number];
export type ValuationInput = PropertyValuation['valuation']['inputs'][number];
export type Accuracy = PropertyValuation['valuation']['accuracy'];
export type Figures = { readonly [Name in keyof typeof valueFigures]: Static<(typeof valueFigures)[Name]> };
export type ValuationWarning = Static<typeof Warning>;
export type MissingDetails = Static<typeof MissingDetailsBody>;
export type MissingDetail = MissingDetails['costs'][number];
export type ValuedParcel = Static<typeof ValuedParcelBody>;
export type ComparableRecord = Static<typeof ComparableRecordsBody>['comparable_records'][number];
export type DescribedHome = Static<typeof DescribedHomeBody>;

/** A valuation of any kind. */
export type Valued =
  | {
      readonly kind: 'home';
      readonly response: PropertyValuation;
      /** Those of a preview, which has no id to request them by. */
      readonly records?: readonly ComparableRecord[];
    }
  | { readonly kind: 'rent'; readonly response: RentalValuation }
  | { readonly kind: 'building'; readonly response: BuildingValuation };

const postPatiently = <T>(path: string, body: unknown, signal: AbortSignal) =>
  post<T>(path, { body, signal, isPatient: true });

export const valueHome = async (body: unknown, signal: AbortSignal): Promise<Valued> => ({
  kind: 'home',
  response: await postPatiently('/avm/property', body, signal),
});
export const valueRent = async (body: unknown, signal: AbortSignal): Promise<Valued> => ({
  kind: 'rent',
  response: await postPatiently('/avm/rental', body, signal),
});
export const valueBuilding = async (body: unknown, signal: AbortSignal): Promise<Valued> => ({
  kind: 'building',
  response: await postPatiently('/avm/multifamily', body, signal),
});

/** A past valuation of the account. Its kind follows from members that only that kind has. */
export async function readValuation(id: string, signal: AbortSignal): Promise<Valued> {
  const response = await get<Valued['response']>(`/valuations/${encodeURIComponent(id)}`, { signal });
  if (isRental(response)) return { kind: 'rent', response };
  return isBuilding(response) ? { kind: 'building', response } : { kind: 'home', response };
}

const isRental = (response: Valued['response']): response is RentalValuation => 'units' in response.valuation;
const isBuilding = (response: Valued['response']): response is BuildingValuation =>
  'approaches' in response.valuation;

export type HomeHistory = Static<typeof ValueHistoryBody>;
export type HistoryPoint = HomeHistory['history'][number];

/** 0.4 s for ten years; some seconds for the first history of a market after a start. */
export const readValueHistory = (body: object, signal: AbortSignal) =>
  postPatiently<HomeHistory>('/avm/property/history', { ...body, forecast_months: 24 }, signal);

export const readMissingDetails = (valuationId: string, signal: AbortSignal) =>
  postPatiently<MissingDetails>(`/valuations/${valuationId}/range-costs`, {}, signal);
/** The parcel of a past valuation, as known on its date. */
export const readValuedParcel = (valuationId: string, signal: AbortSignal) =>
  get<ValuedParcel>(`/valuations/${encodeURIComponent(valuationId)}/parcel`, { signal });
export const readComparableRecords = async (valuationId: string, signal: AbortSignal) =>
  (
    await get<Static<typeof ComparableRecordsBody>>(
      `/valuations/${encodeURIComponent(valuationId)}/comparable-records`,
      { signal },
    )
  ).comparable_records;
export const describeHome = (body: unknown, signal: AbortSignal) =>
  postPatiently<DescribedHome>('/described-home', body, signal);

/** Whether the value is reproduced exactly from its model and data. */
export const isReproduced = async (valuationId: string) =>
  (await post<{ readonly agrees: boolean }>(`/valuations/${valuationId}/replay`)).agrees;
