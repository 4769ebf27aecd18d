import type { Clock } from '../../clock.ts';
import type { GeocoderKind, GeocoderSetting } from '../../config.ts';
import { addressPartsOf, parseAddress } from '../../domain/address-parts.ts';
import { createOutbound } from '../../egress/outbound.ts';
import type { Outbound } from '../../egress/outbound-call.ts';
import { plainText } from '../display-address.ts';
import type { CoarsePlace, Geocoder } from '../located.ts';
import { limitConcurrency } from '../../threads/limit-concurrency.ts';
import { readCensusResponse, readNominatimResponse } from './geocoder-responses.ts';

/** Timeout: without the geocoder the caller still gets a rejection with candidates. */
const MAX_MS = 3000;
/** Responses are a few thousand bytes. */
const MAX_BYTES = 65_536;
/** Streets change slowly; a geocoder's data are loaded once a week or a year. */
const KEPT_MS = 24 * 3_600_000;
const MAX_KEPT = 10_000;
/** After a failure the geocoder is not used for this long, so that only one caller waits for the timeout. */
const COOL_DOWN_MS = 30_000;
/** Maximum concurrent calls; others wait. */
const MAX_AT_ONCE = 4;

interface Dialect {
  readonly query: (text: string) => Readonly<Record<string, string>>;
  readonly read: (response: unknown) => CoarsePlace | null;
}

/** The Census Bureau's `locations/onelineaddress`, and `search` of a server with Nominatim's API. */
const DIALECTS: Readonly<Record<GeocoderKind, Dialect>> = {
  census: {
    query: (text) => ({ address: text, benchmark: 'Public_AR_Current', format: 'json' }),
    read: readCensusResponse,
  },
  nominatim: {
    query: (text) => ({ q: text, format: 'jsonv2', addressdetails: '1', limit: '1' }),
    read: readNominatimResponse,
  },
};

interface GeocoderDeps {
  readonly clock: Clock;
  /** Receives a sentence, without any address, when the geocoder cannot be used. */
  readonly onTrouble: (sentence: string) => void;
  readonly outbound?: Outbound;
}

/** The configured geocoder. Each text is sent once a day. After a failure, addresses count as not found. */
export function createGeocoder(setting: GeocoderSetting, deps: GeocoderDeps): Geocoder {
  const { clock, onTrouble } = deps;
  const { query, read } = DIALECTS[setting.kind];
  const outbound = deps.outbound ?? createOutbound({ allowCidrs: setting.allowCidrs, allowHttp: true });
  const kept = new Map<string, { readonly until: number; readonly place: Promise<CoarsePlace | null> }>();
  const requests = limitConcurrency(MAX_AT_ONCE);
  let coolDownUntil = -Infinity;

  async function requestPlace(text: string): Promise<CoarsePlace | null> {
    const url = new URL(setting.url);
    for (const [name, value] of Object.entries(query(text))) {
      if (!url.searchParams.has(name)) url.searchParams.set(name, value);
    }
    const headers = { accept: 'application/json' };
    const response = await outbound.request(url.href, { headers, timeoutMs: MAX_MS, maxBytes: MAX_BYTES });
    if (response.outcome !== 'responded') throw new TroubleError(response.detail);
    if (response.status !== 200) throw new TroubleError(`It answered with status ${response.status}.`);
    if (response.isTruncated) throw new TroubleError(`Its answer is longer than ${MAX_BYTES} bytes.`);
    return agreeing(text, read(parseJson(response.body)));
  }

  const isCoolingDown = (): boolean => clock().getTime() < coolDownUntil;

  /** Failures are not cached: the next caller tries again. */
  async function requestUnlessCooling(address: string, key: string): Promise<CoarsePlace | null> {
    try {
      if (!isCoolingDown()) return await requestPlace(address);
    } catch (error) {
      kept.delete(key);
      if (!(error instanceof TroubleError)) throw error;
      if (!isCoolingDown()) onTrouble(`The geocoder could not be used. ${error.message}`);
      coolDownUntil = clock().getTime() + COOL_DOWN_MS;
    }
    kept.delete(key);
    return null;
  }

  return {
    async find(text) {
      const address = plainText(text);
      const key = address.toUpperCase();
      const now = clock().getTime();
      const known = kept.get(key);
      if (known && now < known.until) return known.place;
      if (address === '' || isCoolingDown()) return null;
      const place = requests.run(() => requestUnlessCooling(address, key));
      kept.delete(key);
      kept.set(key, { until: now + KEPT_MS, place });
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? key);
      return place;
    },
  };
}

class TroubleError extends Error {}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new TroubleError('Its answer is not JSON.', { cause });
  }
}

/** A geocoder returns its best guess, however far away: a result in another state or town is dropped. */
function agreeing(text: string, place: CoarsePlace | null): CoarsePlace | null {
  if (place === null) return null;
  const request = parseAddress(text);
  const found = addressPartsOf(place.address);
  const differs = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b;
  if (differs(request.stateCode, found.stateCode)) return null;
  if (differs(request.city, found.city) && request.postalCode !== found.postalCode) return null;
  const isHouse = place.level === 'address' || place.level === 'interpolated';
  return isHouse && request.number !== found.number ? { ...place, level: 'street', isDoubtful: true } : place;
}
