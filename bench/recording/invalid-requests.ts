import { gzipSync } from 'node:zlib';
import type { Ask } from './api-client.ts';

const POINT = { latitude: 41.997341, longitude: -101.61648 };
const FIELDS = { total_bedrooms: 3, total_bathrooms: 2 };

/** Bodies that are rejected or warned about, by name. */
const BODIES: Readonly<Record<string, unknown>> = {
  'no body members': {},
  'an array': [],
  'a number': 5,
  null: null,
  'no location': { property_fields: FIELDS },
  'no fields': { location: POINT },
  'latitude alone': { location: { latitude: 42 }, property_fields: FIELDS },
  'latitude outside': { location: { latitude: 142, longitude: 0 }, property_fields: FIELDS },
  'latitude as text': { location: { latitude: '42', longitude: -101 }, property_fields: FIELDS },
  'empty address': { location: { address: '' }, property_fields: FIELDS },
  'blank address': { location: { address: '   ' }, property_fields: FIELDS },
  'unknown address': { location: { address: '1 Nowhere Rd, Atlantis' }, property_fields: FIELDS },
  'similar address': { location: { address: '757 W Ridgelin Way, Plumb Falls' }, property_fields: FIELDS },
  'address without a number': {
    location: { address: 'Ridgeline Way, Plumb Falls' },
    property_fields: FIELDS,
  },
  'address and far point': {
    location: { ...POINT, address: '213 W Mill Blvd #203, Plumb Falls' },
    property_fields: FIELDS,
  },
  'address of 501 characters': { location: { address: 'a'.repeat(501) }, property_fields: FIELDS },
  'control characters': { location: { address: '1 \u0000 Main St' }, property_fields: FIELDS },
  outside: { location: { latitude: 10, longitude: 10 }, property_fields: FIELDS },
  'no bedrooms': { location: POINT, property_fields: { total_bathrooms: 1 } },
  'fractional bedrooms': { location: POINT, property_fields: { total_bedrooms: 2.5, total_bathrooms: 1 } },
  'many faults': {
    location: { latitude: 'x' },
    property_fields: {
      total_bedrooms: 51,
      total_bathrooms: -1,
      year_built: 1600,
      condition: 9,
      has_pool: 'maybe',
    },
    search_params: { num_comps: -1, date: '2026-02-30', radius_mi: 0 },
  },
  'unknown type': { location: POINT, property_fields: { ...FIELDS, property_type: 'castle' } },
  'alias conflict': { location: POINT, property_fields: { ...FIELDS, bedrooms: 4 } },
  aliases: { location: POINT, property_fields: { beds: 3, baths: 2, stories: 2, central_air: true } },
  'unknown members': { location: POINT, property_fields: { ...FIELDS, moat: true }, extra: 1 },
  nulls: {
    location: { ...POINT, address: null },
    property_fields: { ...FIELDS, living_area: null, has_pool: null },
    search_params: null,
  },
  'future date': { location: POINT, property_fields: FIELDS, search_params: { date: '2027-01-01' } },
  'early date': { location: POINT, property_fields: FIELDS, search_params: { date: '2010-01-01' } },
  'odd home': {
    location: POINT,
    property_fields: {
      total_bedrooms: 33,
      total_bathrooms: 1,
      living_area: 300,
      lot_size: 1,
      year_built: 1800,
    },
  },
  'huge home': {
    location: POINT,
    property_fields: { ...FIELDS, living_area: 90000, lot_size: 900000000, garage_spaces: 40 },
  },
  geocoded: {
    location: {
      maps_api_response: {
        results: [
          {
            formatted_address: '1 Main St',
            geometry: { location: { lat: POINT.latitude, lng: POINT.longitude } },
          },
        ],
      },
    },
    property_fields: FIELDS,
  },
  'geocoded nonsense': { location: { ...POINT, maps_api_response: { a: 1 } }, property_fields: FIELDS },
};

export async function requestInvalid(
  ask: Ask,
  scopedKey: string,
  keys: Readonly<Record<string, string>>,
): Promise<void> {
  const property = '/v1/avm/property';
  const post = (name: string, asked: Parameters<Ask>[3]) => ask(`invalid ${name}`, 'POST', property, asked);
  for (const [name, body] of Object.entries(BODIES)) {
    await post(name, { body });
    const strict = { headers: { prefer: 'handling=strict' }, body };
    if (name.includes('members')) await post(`${name}, strict`, strict);
  }
  const plain = { location: POINT, property_fields: FIELDS };
  await post('no JSON', { text: '{"location":' });
  await post('empty text', { text: '' });
  await post('a member twice', { text: '{"location": {}, "location": {}}' });
  await post('a number too large', { text: '{"location": {"latitude": 1e999, "longitude": 1}}' });
  await post('too deep', { text: `${'['.repeat(200)}${']'.repeat(200)}` });
  await post('prototype', { text: '{"__proto__": {"a": 1}, "location": {}}' });
  await post('media type', { text: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  await post('gzip', { text: gzipSync(JSON.stringify(plain)), headers: { 'content-encoding': 'gzip' } });
  await post('too many keys', {
    body: { location: Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`k${i}`, 1])) },
  });
  await post('not acceptable', { body: plain, headers: { accept: 'text/html' } });
  await post('dry run', { body: plain, headers: { 'x-dry-run': 'true' } });
  await post('bad request id', { body: plain, headers: { 'x-request-id': 'x'.repeat(300) } });
  for (const [name, key] of Object.entries(keys))
    await post(`key ${name}`, { body: plain, headers: { 'x-api-key': key } });
  await post('key of another scope', { body: plain, headers: { 'x-api-key': scopedKey } });
  await ask('invalid key in query', 'GET', '/v1/coverage?api_key=plb_live_x');
  await ask('invalid method', 'PUT', property, { body: plain });
  await ask('invalid path', 'GET', '/v1/nothing');
  await ask('invalid root', 'GET', '/v2/avm/property');
  const point = `latitude=${POINT.latitude}&longitude=${POINT.longitude}`;
  const get = (name: string, path: string) => ask(`invalid query ${name}`, 'GET', path);
  await get('repeated', `${property}?${point}&total_bedrooms=3&total_bedrooms=4&total_bathrooms=2`);
  await get('not a number', `${property}?${point}&total_bedrooms=three&total_bathrooms=2`);
  await get('empty', `${property}?${point}&total_bedrooms=3&total_bathrooms=2&living_area=`);
  await get('yes or no', `${property}?${point}&total_bedrooms=3&total_bathrooms=2&has_pool=perhaps`);
  await get('unknown', `${property}?${point}&total_bedrooms=3&total_bathrooms=2&moat=1`);
  await get('units', `/v1/avm/rental?${point}&units=nonsense`);
  await get('nothing', '/v1/avm/multifamily');
  await requestInvalidKinds(ask);
}

async function requestInvalidKinds(ask: Ask): Promise<void> {
  const rental = (name: string, property_fields: object) =>
    ask(`invalid rental ${name}`, 'POST', '/v1/avm/rental', { body: { location: POINT, property_fields } });
  await rental('no unit', {});
  await rental('empty units', { units: [] });
  await rental('both forms', { bedrooms: 1, bathrooms: 1, units: [{ bedrooms: 1, bathrooms: 1 }] });
  await rental('mobile', { bedrooms: 1, bathrooms: 1, property_type: 'mobile' });
  await rental('aliases', {
    units: [{ bedrooms: 1, bathrooms: 1, fully_furnished: true }],
    off_street_parking: true,
  });
  await rental('units and total', {
    units: Array.from({ length: 4 }, () => ({ bedrooms: 1, bathrooms: 1 })),
    total_units: 2,
  });
  await rental('faulty unit', {
    units: [
      { bedrooms: 1, bathrooms: 1 },
      { bedrooms: 'two', size: -5 },
    ],
  });
  const multifamily = (name: string, property_fields: object) =>
    ask(`invalid multifamily ${name}`, 'POST', '/v1/avm/multifamily', {
      body: { location: POINT, property_fields },
    });
  await multifamily('no units', { bedrooms: 4, bathrooms: 4 });
  await multifamily('type mismatch', {
    total_units: 3,
    bedrooms: 6,
    bathrooms: 3,
    property_type: 'multifamily',
  });
  await multifamily('one unit', { total_units: 1, bedrooms: 2, bathrooms: 1 });
  await multifamily('rooms too few', { total_units: 20, bedrooms: 1, bathrooms: 1 });
  await multifamily('huge', { total_units: 900, bedrooms: 1800, bathrooms: 900 });
}
