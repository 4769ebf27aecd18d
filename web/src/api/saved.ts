import type { Static } from 'typebox';
import type {
  SavedValuationBody,
  SavedValuationsBody,
  SaveValuationRequestBody,
} from '../../../src/schemas/saved-valuations.ts';
import { get, post, remove } from './request.ts';

export type SavedValuation = Static<typeof SavedValuationBody>;

const pathOf = (id: string): string => `/valuations/${encodeURIComponent(id)}/saved`;

export const saveValuation = (valuationId: string, body: Static<typeof SaveValuationRequestBody>) =>
  post<SavedValuation>(pathOf(valuationId), { body });

export const removeSavedValuation = (valuationId: string) => remove<SavedValuation>(pathOf(valuationId));

export const listSavedValuations = (
  query: { readonly find: string; readonly tag: string | null; readonly cursor: string | null },
  signal: AbortSignal,
) => get<Static<typeof SavedValuationsBody>>('/saved-valuations', { query, signal });
