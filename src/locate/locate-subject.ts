import { parseAddress, type ParsedAddress } from '../domain/address-parts.ts';
import type { Day } from '../domain/day.ts';
import { formatDistance } from '../domain/display-format.ts';
import type { Warning } from '../domain/warning.ts';
import { PlumblineError } from '../errors.ts';
import { METERS_PER_MILE, milesApart, type LatLon } from '../geo/distance.ts';
import { geohash8 } from '../geo/geohash.ts';
import { currentDatasets, type Dataset } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';
import { displayOf, displayOfText, plainText } from './display-address.ts';
import { coarseWarnings, findCoarsePlace, foundInstead, isHomePlace } from './coarse-place.ts';
import { addressAt } from './address-at.ts';
import type { AddressSources } from './known-place.ts';
import type {
  AddressCandidate,
  CoarsePlace,
  DisplayAddress,
  Geocoder,
  Located,
  LocationRequest,
  MapsPlace,
  Target,
} from './located.ts';
import {
  isOnePlace,
  matchAddress,
  parcelsOfMatch,
  publishedAddress,
  unitCountOf,
  unitRowsOf,
  type AddressFinding,
  type AddressMatch,
} from './match-address.ts';
import { parcelsAt, parcelsOf } from './parcels-at.ts';
import { suggestAddresses } from './suggest-addresses.ts';
import type { DatasetKind } from '../store/tables/datasets.ts';

/** If an address and coordinates are farther apart, they are probably not the same home. */
const MISMATCH_MI = 1;

interface LocateDeps {
  readonly store: Store;
  /** The current datasets, if the caller keeps a list of them; otherwise they are read from the store. */
  readonly listDatasets?: () => Promise<readonly Dataset[]>;
  /** External geocoder for addresses that are not in the index, if the operator configured one. */
  readonly geocoder?: Geocoder | null;
  /** Looks parcel polygons up, if the caller has them open. */
  readonly parcelsContaining?: AddressSources['parcelsContaining'];
  /** The as-of date; null or absent where the place has none, as for area data. */
  readonly asOf?: Day | null;
}

/**
 * Locates the subject: by coordinates, by a geocoder's response in the request, or in the address index of
 * all markets. An address that is not in the index is located as closely as its street, ZIP and city allow,
 * with a warning: a home at least by its street, an area at least by its city. An address that only later sales
 * name has its location, but neither their parcels nor their units.
 *
 * @throws PlumblineError `address_not_found` with `candidates`; `bad_request` if the request has no location
 */
export async function locateSubject(
  deps: LocateDeps,
  location: LocationRequest,
  target: Target = 'home',
): Promise<Located> {
  const warnings: Warning[] = [];
  const { lat, lon, address, mapsPlace } = location;
  const maps = mapsPlace === 'unreadable' ? null : mapsPlace;
  if (mapsPlace === 'unreadable') {
    warnings.push({
      code: 'maps_response_ignored',
      field: 'maps_api_response',
      message:
        'maps_api_response is not a geocoder result (results[0].geometry.location with lat and lng, at most 64 KB) and was ignored.',
    });
  }
  const sources = await addressSources(deps);
  const finding = address === null ? null : await matchKnown(sources, address);
  const at = lat !== null && lon !== null ? { lat, lon } : maps;
  if (at) return locatedAt(sources, at, { text: address, maps, isMaps: at === maps }, finding, warnings);
  if (address === null || finding === null) {
    throw new PlumblineError('bad_request', 'The location needs an address, or a latitude and a longitude.');
  }
  if (finding.best.length > 0 && isOnePlace(finding.best)) return locatedAtMatch(sources, finding, warnings);
  return locatedCoarsely(sources, deps.geocoder ?? null, address, finding, target, warnings);
}

/** The matches as of the date; those of later sales and listings, without parcels, if there are none. */
async function matchKnown(sources: AddressSources, text: string): Promise<AddressFinding> {
  const known = await matchAddress(sources, text);
  if (known.best.length > 0 || sources.knownBy === null) return known;
  const later = await matchAddress({ ...sources, knownBy: null }, text);
  if (later.best.length === 0) return known;
  const withoutParcel = <M extends AddressMatch>(match: M): M => ({
    ...match,
    row: { ...match.row, parcelId: null },
  });
  return { request: later.request, best: later.best.map(withoutParcel), all: [] };
}

/** Address files first, then parcels, sales and listings: the order of trust for coordinates. */
const TRUST: readonly DatasetKind[] = ['addresses', 'parcels', 'sales', 'rents'];
/** Datasets made to locate addresses. Sales and listings contain addresses only incidentally. */
const SURVEYED: readonly DatasetKind[] = ['addresses', 'parcels'];

export async function addressSources({
  store,
  listDatasets,
  parcelsContaining = async () => [],
  asOf = null,
}: LocateDeps): Promise<AddressSources> {
  const current = listDatasets ? await listDatasets() : await currentDatasets(store);
  const datasets = current.filter((dataset) => TRUST.includes(dataset.kind));
  datasets.sort((a, b) => TRUST.indexOf(a.kind) - TRUST.indexOf(b.kind) || a.datasetId - b.datasetId);
  const idsOf = (of: readonly Dataset[]): number[] => of.map((dataset) => dataset.rowsId);
  // If no dataset has addresses, five lookups in ever wider circles would cost 0.2 ms for nothing.
  const addressed = datasets.filter((dataset) => dataset.addressCount !== 0);
  return {
    store,
    rowsIds: idsOf(addressed),
    parcelRowsIds: idsOf(datasets.filter((dataset) => dataset.kind === 'parcels')),
    parcelsContaining,
    knownBy: asOf,
    surveyedRowsIds: idsOf(addressed.filter((dataset) => SURVEYED.includes(dataset.kind))),
  };
}

async function locatedAtMatch(
  sources: AddressSources,
  finding: AddressFinding,
  warnings: Warning[],
): Promise<Located> {
  const [match] = finding.best;
  const { row } = match;
  const own = parcelsOfMatch(finding);
  warnings.push(...matchWarnings(match, finding.request));
  return {
    lat: row.lat,
    lon: row.lon,
    geohash8: geohash8(row.lat, row.lon),
    address: displayOf(publishedAddress(match)),
    matchLevel: 'address',
    accuracyM: null,
    ...(own ? parcelsOf([own]) : await parcelsAt(sources, row.lat, row.lon)),
    unit: finding.request.unit,
    unitCount: unitCountOf(finding),
    unitRows: unitRowsOf(finding),
    matchedPoint: row,
    warnings,
  };
}

/**
 * A location without its own row has no parcel, because the nearest one is a neighbor's. A home is not located by
 * its street if the number exists on another street of that name, because N or S is then probably wrong.
 */
async function locatedCoarsely(
  sources: AddressSources,
  geocoder: Geocoder | null,
  text: string,
  finding: AddressFinding,
  target: Target,
  warnings: Warning[],
): Promise<Located> {
  const isAmbiguous = finding.best.length > 0;
  const place = isAmbiguous ? null : await findCoarsePlace(sources, geocoder, text);
  const isOtherKnown = place?.level === 'street' && finding.all.length > 0;
  if (place === null || (target === 'home' && (isOtherKnown || !isHomePlace(place)))) {
    const candidates = await suggestAddresses(sources, finding);
    throw new PlumblineError('address_not_found', whyNotFound(text, finding, place, candidates), {
      members: { candidates },
    });
  }
  const { lat, lon } = place;
  return {
    lat,
    lon,
    geohash8: geohash8(lat, lon),
    address: displayOf(place.address),
    matchLevel: place.level,
    accuracyM: place.accuracyM,
    ...(place.level === 'address' ? await parcelsAt(sources, lat, lon) : parcelsOf([])),
    unit: finding.request.unit,
    unitCount: 0,
    matchedPoint: null,
    warnings: [...warnings, ...coarseWarnings(place)],
  };
}

/** How a request with coordinates names the place: for display, and by its unit. */
interface PlaceNames {
  readonly text: string | null;
  readonly maps: MapsPlace | null;
  /** The coordinates are the geocoder's, so its address replaces the text. */
  readonly isMaps: boolean;
}

/** Coordinates alone choose the parcel. An address beside them is displayed, and says whether a unit is meant. */
async function locatedAt(
  sources: AddressSources,
  at: LatLon,
  names: PlaceNames,
  finding: AddressFinding | null,
  warnings: Warning[],
): Promise<Located> {
  const match = finding?.best.toSorted((a, b) => milesApart(at, a.row) - milesApart(at, b.row))[0] ?? null;
  const displayed = match?.row ?? names.maps;
  const away = displayed ? milesApart(at, displayed) : 0;
  if (away > MISMATCH_MI) {
    warnings.push({
      code: 'location_mismatch',
      field: names.text === null ? 'maps_api_response' : 'address',
      message: `The address is ${away.toFixed(1)} miles from the coordinates given; the coordinates were used.`,
    });
  }
  if (names.isMaps && names.maps?.isApproximate) {
    warnings.push({
      code: 'maps_location_approximate',
      field: 'maps_api_response',
      message: "The geocoder calls its location approximate, so it may be another property's.",
    });
  }
  const found = await parcelsAt(sources, at.lat, at.lon);
  if (away <= MISMATCH_MI && finding && match && (await isOtherParcel(sources, finding, match, found))) {
    warnings.push({
      code: 'address_on_other_parcel',
      field: 'address',
      message:
        `The coordinates are on another parcel than the address, ${formatDistance(away)} from it; ` +
        'the coordinates were used.',
    });
  }
  const written = displayOfNames(names, match);
  const there = written ? null : await addressAt(sources, at.lat, at.lon, found.parcelId);
  if (there !== null && there.awayM !== null) {
    warnings.push({
      code: 'address_nearest',
      field: null,
      message: `No address is known at the coordinates; the nearest one, ${displayOf(there.address).street}, is ${formatDistance(there.awayM / METERS_PER_MILE)} away.`,
    });
  }
  return {
    lat: at.lat,
    lon: at.lon,
    geohash8: geohash8(at.lat, at.lon),
    address: written ?? (there && displayOf(there.address)),
    matchLevel: 'point',
    accuracyM: null,
    ...found,
    unit: finding?.request.unit || parseAddress(names.maps?.address?.formatted ?? '').unit,
    unitCount: 0,
    matchedPoint: match?.row ?? null,
    warnings,
  };
}

/** Whether the parcels of the address are known, and none of them can be meant by the coordinates. */
async function isOtherParcel(
  sources: AddressSources,
  finding: AddressFinding,
  match: AddressMatch,
  { parcels }: Pick<Located, 'parcels'>,
): Promise<boolean> {
  const { lat, lon } = match.row;
  const own = parcelsOfMatch({ ...finding, best: [match] });
  const ofAddress = own ? [own] : (await parcelsAt(sources, lat, lon)).parcels;
  const idsThere = new Set(parcels.flatMap(({ parcelIds }) => parcelIds));
  const idsOfAddress = ofAddress.flatMap(({ parcelIds }) => parcelIds);
  return idsThere.size > 0 && idsOfAddress.length > 0 && !idsOfAddress.some((id) => idsThere.has(id));
}

/** The caller's text completed with the parts of its match, otherwise with those of the geocoder. */
function displayOfNames(
  { text, maps, isMaps }: PlaceNames,
  match: AddressMatch | null,
): DisplayAddress | null {
  const given = maps?.address ?? null;
  if (text === null || (isMaps && given)) return given;
  return displayOfText(text, match ? publishedAddress(match) : given);
}

function matchWarnings({ row, score }: AddressMatch, { postalCode }: ParsedAddress): Warning[] {
  const { street } = displayOf(row.address);
  const otherZip = `The ZIP code of ${street} is ${row.address.postalCode}, not ${postalCode}; the address was found by its city.`;
  const approximate = `No address matches exactly; the closest one, ${street}, was used.`;
  const otherUnit = `The unit is not in the address index; the building at ${street} was used.`;
  const warnings: Warning[] = [];
  if (score.isApproximate)
    warnings.push({ code: 'address_approximate', field: 'address', message: approximate });
  if (score.isOtherZip) warnings.push({ code: 'postal_code_differs', field: 'address', message: otherZip });
  if (score.isOtherUnit) warnings.push({ code: 'unit_not_found', field: 'address', message: otherUnit });
  return warnings;
}

/** The candidates of an error `address_not_found`. */
export function candidatesOf({ members }: PlumblineError): readonly AddressCandidate[] {
  const { candidates } = members;
  return Array.isArray(candidates) ? candidates.filter(isCandidate) : [];
}

function isCandidate(candidate: unknown): candidate is AddressCandidate {
  return typeof candidate === 'object' && candidate !== null && 'formattedAddress' in candidate;
}

function whyNotFound(
  text: string,
  { request, best }: AddressFinding,
  place: CoarsePlace | null,
  candidates: readonly AddressCandidate[],
): string {
  const shown = `"${plainText(text)}"`;
  const instead = 'give latitude and longitude instead';
  if (best.length > 0) {
    return `The address ${shown} matches several places; add the direction, city or ZIP of one of the candidates, or ${instead}.`;
  }
  const found = place === null ? '' : `; ${foundInstead(place)}`;
  if (request.number === '' && place !== null)
    return `The address ${shown} has no house number${found}; add it, or ${instead}.`;
  // The error of a row of a batch has no list of candidates.
  const [first] = candidates;
  const others = candidates.length > 1 ? ' or another of the candidates' : '';
  const choice = first ? `use "${first.formattedAddress}"${others} if you meant it` : 'check it';
  return `The address ${shown} is not in the address index of any market loaded here${found}; ${choice}, or ${instead}.`;
}
