import type { Static } from 'typebox';
import type { AddressInfo, Warning } from '../../../src/schemas/location.ts';
import type { DescribedHomeBody, MissingDetailsBody } from '../../../src/api/console/value.ts';
import type { MultifamilyValuationBody } from '../../../src/schemas/multifamily-response.ts';
import type { RentalValuationBody } from '../../../src/schemas/rental-response.ts';
import type { valueFigures, PropertyValuationBody } from '../../../src/schemas/property-response.ts';
import { request } from './request.ts';

/** Bodies as the server's own schemas say them; only their types reach the browser. */
export type PropertyValuation = Static<typeof PropertyValuationBody>;
export type RentalValuation = Static<typeof RentalValuationBody>;
export type BuildingValuation = Static<typeof MultifamilyValuationBody>;
export type SaleComparable = PropertyValuation['comparables']['items'][number];
export type RentComparable = RentalValuation['comparables']['items'][number];
export type ValuationInput = PropertyValuation['valuation']['inputs'][number];
export type Accuracy = PropertyValuation['valuation']['accuracy'];
export type Figures = { readonly [Name in keyof typeof valueFigures]: Static<(typeof valueFigures)[Name]> };
export type Percentiles = Figures['probabilistic_distribution']['percentiles'];
export type Place = Static<typeof AddressInfo>;
export type ValuationWarning = Static<typeof Warning>;
export type MissingDetails = Static<typeof MissingDetailsBody>;
export type AttributeCost = MissingDetails['costs'][number];
export type DescribedHome = Static<typeof DescribedHomeBody>;

/** An answer of any kind, told apart by its kind. */
export type Valued =
  | { readonly kind: 'home'; readonly answer: PropertyValuation }
  | { readonly kind: 'rent'; readonly answer: RentalValuation }
  | { readonly kind: 'building'; readonly answer: BuildingValuation };

export async function valueHome(body: unknown, signal: AbortSignal): Promise<Valued> {
  return { kind: 'home', answer: await request('POST', '/avm/property', { body, signal, isPatient: true }) };
}

export async function valueRent(body: unknown, signal: AbortSignal): Promise<Valued> {
  return { kind: 'rent', answer: await request('POST', '/avm/rental', { body, signal, isPatient: true }) };
}

export async function valueBuilding(body: unknown, signal: AbortSignal): Promise<Valued> {
  return {
    kind: 'building',
    answer: await request('POST', '/avm/multifamily', { body, signal, isPatient: true }),
  };
}

export function readMissingDetails(valuationId: string, signal: AbortSignal): Promise<MissingDetails> {
  return request('POST', `/valuations/${encodeURIComponent(valuationId)}/range-costs`, {
    signal,
    isPatient: true,
  });
}

export function describeHome(body: unknown, signal: AbortSignal): Promise<DescribedHome> {
  return request('POST', '/described-home', { body, signal, isPatient: true });
}

/** Whether the value comes out the same, to the byte, from the model and the data it was made with. */
export async function replays(valuationId: string): Promise<boolean> {
  const answer = await request<{ readonly agrees: boolean }>(
    'POST',
    `/valuations/${encodeURIComponent(valuationId)}/replay`,
    { body: {} },
  );
  return answer.agrees;
}
