import { listSaved, removeSaved, saveUnderName } from '../../operations/past/saved-valuations.ts';
import {
  SAVED_LIMIT,
  SavedValuationBody,
  SavedValuationsBody,
  SavedValuationsRequestBody,
  SaveValuationRequestBody,
} from '../../schemas/saved-valuations.ts';
import { freeDelete, freeGet, freePost } from '../endpoint.ts';
import { createRequestReader } from '../request/read-request.ts';
import { admittedCaller, callerOf } from '../request-context.ts';
import type { Operation } from '../route.ts';
import { valuationIdOf } from './valuations.ts';

const saveRequest = createRequestReader({
  schema: SaveValuationRequestBody,
  build: ({ name, tags, note }) => ({
    name: name?.trim() || null,
    tags: (tags ?? []).map((tag) => tag.trim()).filter((tag) => tag !== ''),
    note: note?.trim() ?? '',
  }),
});

const savedRequest = createRequestReader({
  schema: SavedValuationsRequestBody,
  build: ({ find, tag, limit, cursor }, _reading, warnings) => ({
    find: find ?? '',
    tag: tag ?? null,
    limit: limit ?? SAVED_LIMIT.default,
    cursor: cursor ?? null,
    warnings,
  }),
});

export const SAVED_VALUATION_ROUTES: readonly Operation[] = [
  freePost('/v1/valuations/{id}/saved', 'saveValuation', 'valuations:save', {
    summary: 'Save a valuation',
    description:
      'Under a name, with tags and a note, for everyone in the account to find. Saving it again replaces all three.',
    reader: saveRequest,
    response: SavedValuationBody,
    problems: ['not_found'],
    handle: ({ operations, request, read }) => {
      const saved = read();
      return saveUnderName(operations, valuationIdOf(request), saved, admittedCaller(request));
    },
  }),
  freeDelete('/v1/valuations/{id}/saved', 'removeSavedValuation', 'valuations:save', {
    summary: 'Remove a valuation from the saved ones',
    description: 'The valuation itself stays, with its challenges, reports and links.',
    response: SavedValuationBody,
    problems: ['not_found'],
    handle: ({ operations, request }) =>
      removeSaved(operations, valuationIdOf(request), admittedCaller(request)),
  }),
  freeGet('/v1/saved-valuations', 'listSavedValuations', 'valuations:read', {
    summary: 'Saved valuations',
    description: 'Those of the account, the newest valuation first, with their names, tags and notes.',
    reader: savedRequest,
    response: SavedValuationsBody,
    problems: ['invalid_cursor'],
    handle: async ({ operations, request, read }) => {
      const { warnings, ...search } = read();
      return { ...(await listSaved(operations, callerOf(request).accountId, search)), warnings };
    },
  }),
];
