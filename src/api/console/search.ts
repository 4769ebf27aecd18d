import { Type } from 'typebox';
import { respellParcelNumber } from '../../domain/parcel.ts';
import { marketName } from '../../domain/market-name.ts';
import { completeAddress } from '../../operations/locate-place.ts';
import { formatAddress } from '../../locate/display-address.ts';
import { nullable, oneOf, responseObject, string } from '../../schemas/members.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { Store } from '../../store/store.ts';
import { addressPointsOfParcel } from '../../store/address-points.ts';
import { findBatchesByPrefix } from '../../store/jobs.ts';
import { findParcelsByPrefix } from '../../store/property-records.ts';
import { listSavedValuations } from '../../store/saved-valuations.ts';
import { findValuationsByPrefix } from '../../store/valuation-log.ts';
import { formatDay, formatMany } from '../../domain/display-format.ts';
import { instant } from '../../domain/instant.ts';
import { type ConsoleRequest, type ConsoleRoute, get } from './console-route.ts';

/** Of each kind. */
const LISTED = 6;
/** Shorter texts begin too many ids. */
const PARCEL_LETTERS = 4;
const ID_BEGINNING = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i;

const SearchQuery = Type.Object({
  query: string('The beginning of an address, a parcel id, a valuation id or a batch id.', {
    minLength: 1,
    maxLength: 200,
  }),
});

export const SearchBody = responseObject('ConsoleSearch', {
  results: Type.Array(
    responseObject('SearchResult', {
      kind: oneOf(['address', 'parcel', 'valuation', 'batch', 'saved']),
      text: string('The address, the id, or the name of a saved valuation.'),
      note: string('What distinguishes it from others.'),
      valuation_id: nullable.string('Of a saved valuation; null for the others.'),
      address: nullable.string('The address to value; null if it has none.'),
      latitude: nullable.number('Degrees north (WGS 84).'),
      longitude: nullable.number('Degrees east (WGS 84).'),
    }),
    { description: 'Ids first, then saved valuations, then addresses, best match first.' },
  ),
});

type Result = ResponseOf<typeof SearchBody>['results'][number];
type Search = Pick<ConsoleRequest<unknown>, 'deps' | 'store' | 'session'>;

async function findParcels({ deps, store }: Search, text: string): Promise<Result[]> {
  if (text.length < PARCEL_LETTERS || !/\d/.test(text)) return [];
  const datasets = await deps.operations.markets.datasets();
  const idsOf = (...kinds: readonly string[]): number[] =>
    datasets.filter(({ kind }) => kinds.includes(kind)).map(({ rowsId }) => rowsId);
  const rowsIds = idsOf('parcels', 'sales');
  const asTyped = await findParcelsByPrefix(store, rowsIds, text, LISTED);
  const found = asTyped.length > 0 ? asTyped : await findParcelsRespelled(store, rowsIds, text);
  return Promise.all(
    found.map(async ({ parcelId, address: own, lat: latitude, lon: longitude }): Promise<Result> => {
      // Many parcel files have no addresses; the address file has those of each parcel.
      const [point] =
        own.street === '' ? await addressPointsOfParcel(store, idsOf('addresses'), parcelId) : [];
      const known = point?.address ?? own;
      const address = known.street === '' ? null : formatAddress(known);
      const place = { address, latitude, longitude };
      return { kind: 'parcel', text: parcelId, note: address ?? '', valuationId: null, ...place };
    }),
  );
}

/** With the separators of the first number of each dataset. */
async function findParcelsRespelled(store: Store, rowsIds: readonly number[], text: string) {
  const examples = await Promise.all(rowsIds.map((id) => findParcelsByPrefix(store, [id], '', 1)));
  const spellings = new Set(examples.flat().map(({ parcelId }) => respellParcelNumber(text, parcelId)));
  const found = [...spellings].map((each) => findParcelsByPrefix(store, rowsIds, each, LISTED));
  return (await Promise.all(found)).flat().slice(0, LISTED);
}

/** What a valuation is of. */
const SUBJECTS: Readonly<Record<string, string>> = {
  property: 'home',
  rental: 'rent',
  multifamily: 'building',
};
const NOWHERE = { valuationId: null, address: null, latitude: null, longitude: null };

async function findSaved({ store, session }: Search, text: string): Promise<Result[]> {
  const search = { find: text, tag: null, limit: LISTED, cursor: null };
  const { items } = await listSavedValuations(store, session.accountId, search);
  return items.map(({ valuationId, name, tags, address }) => {
    const note = [address === name ? null : address, ...tags].filter((one) => one !== null).join(', ');
    return { kind: 'saved', text: name, note, ...NOWHERE, valuationId };
  });
}

async function findIds({ store, session }: Search, text: string): Promise<Result[]> {
  if (!ID_BEGINNING.test(text)) return [];
  const { accountId } = session;
  const id = text.toLowerCase();
  const valuations = await findValuationsByPrefix(store, accountId, id, LISTED);
  const batches = await findBatchesByPrefix(store, accountId, id, LISTED);
  return [
    ...valuations.map(({ valuationId, kind, createdAt }): Result => {
      const note = `${SUBJECTS[kind] ?? kind}, ${formatDay(instant(createdAt))}`;
      return { kind: 'valuation', text: valuationId, note, ...NOWHERE };
    }),
    ...batches.map(({ jobId, task, total, createdAt }): Result => {
      const note = `${formatMany(total, SUBJECTS[task] ?? 'item')}, ${formatDay(instant(createdAt))}`;
      return { kind: 'batch', text: jobId, note, ...NOWHERE };
    }),
  ];
}

async function findAddresses({ deps }: Search, text: string): Promise<Result[]> {
  const found = await completeAddress(deps.operations, text, LISTED);
  return found.map(({ formattedAddress: address, latitude, longitude, marketId }) => {
    return {
      kind: 'address',
      text: address,
      note: marketName(marketId),
      valuationId: null,
      address,
      latitude,
      longitude,
    };
  });
}

/** The search box of every page. */
export const SEARCH_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/search', 'search', 'signed_in', {
    input: SearchQuery,
    response: SearchBody,
    handle: async ({ read, ...search }) => {
      const text = read().query.trim();
      if (text === '') return { results: [] };
      const found = await Promise.all(
        [findIds, findParcels, findSaved, findAddresses].map((find) => find(search, text)),
      );
      return { results: found.flat() };
    },
  }),
];
