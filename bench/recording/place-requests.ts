import type { Ask } from './api-client.ts';
import { addressOf, pointOf, someRows } from './staged-homes.ts';

const PARCELS = 'sample-county/generated-parcels.csv';

const CENSUS_QUESTIONS: readonly object[] = [
  {},
  { geographies: ['tract'], census_keys: ['B19013_001E', 'B25003_002E_pct'] },
  {
    geographies: ['county', 'cousub', 'tract', 'block_group'],
    years: [2019, 2024],
    census_keys: ['B01003_001E'],
  },
  { categories: ['income'] },
  { years: [2012] },
  { census_keys: ['B99999_001E'] },
];

const CRIME_QUESTIONS: readonly object[] = [
  {},
  { radius_mi: 0.5, limit: 5, include_crime_summary: true },
  { start: '2026-01-01', end: '2026-06-30', include_crime_summary: true },
  { categories: ['Burglary/Breaking & Entering'], radius_mi: 3, limit: 20 },
  { radius_mi: 10, limit: 1000, include_crime_summary: true },
  { radius_mi: 0.01 },
];

export async function requestPlaces(ask: Ask, files: string): Promise<void> {
  const rows = someRows(files, PARCELS, 12);
  for (const [i, row] of rows.entries()) {
    const location = i % 2 === 0 ? { address: addressOf(row) } : pointOf(row);
    const post = (what: string, path: string, more: object = {}) =>
      ask(`${what} ${i}`, 'POST', path, { body: { location, ...more } });
    await post('census', '/v1/census-data', CENSUS_QUESTIONS[i % CENSUS_QUESTIONS.length]);
    await post('crime', '/v1/crime-data', CRIME_QUESTIONS[i % CRIME_QUESTIONS.length]);
    await post('fire', '/v1/fire-risk');
    await post('flood', '/v1/flood-zone');
  }
  await requestElsewhere(ask);
  await requestByQuery(ask, addressOf(rows[0]), rows[1]);
  const byGeoid = (name: string, body: object) =>
    ask(`census by geoid, ${name}`, 'POST', '/v1/census-data/by-geoid', { body });
  await byGeoid('tract', { geoid: '99001000300', census_keys: ['B19013_001E', 'B25003_002E_pct'] });
  await byGeoid('several', { geoids: ['99001', '99001000300', '990010003001'], years: [2024] });
  await byGeoid('exported tract', { geoid: '48029110100', years: [2021] });
  await byGeoid('unknown', { geoid: '01001020100' });
  await byGeoid('malformed', { geoid: '12' });
  await byGeoid('missing', {});
  await ask('census variables', 'GET', '/v1/census-data/variables');
  await requestCrimePages(ask, pointOf(rows[3]));
}

/** Real places: King County, New York, Cambridge, and a point where nothing is loaded. */
async function requestElsewhere(ask: Ask): Promise<void> {
  const points = {
    seattle: { latitude: 47.6062, longitude: -122.3321 },
    'new york': { latitude: 40.7484, longitude: -73.9857 },
    'cambridge floodway': { latitude: 42.398404, longitude: -71.150064 },
    'cambridge brook': { latitude: 42.397466, longitude: -71.139759 },
    milwaukee: { latitude: 43.0505, longitude: -87.9506 },
    chicago: { latitude: 41.8781, longitude: -87.6298 },
    nowhere: { latitude: 10, longitude: 10 },
  };
  for (const [name, location] of Object.entries(points)) {
    await ask(`census at ${name}`, 'POST', '/v1/census-data', {
      body: { location, geographies: ['tract', 'block_group'] },
    });
    await ask(`crime at ${name}`, 'POST', '/v1/crime-data', {
      body: { location, limit: 25, include_crime_summary: true },
    });
    await ask(`fire at ${name}`, 'POST', '/v1/fire-risk', { body: { location } });
    await ask(`flood at ${name}`, 'POST', '/v1/flood-zone', { body: { location } });
  }
}

async function requestByQuery(
  ask: Ask,
  address: string,
  { latitude, longitude }: Readonly<Record<string, string>>,
): Promise<void> {
  const byAddress = new URLSearchParams({ address }).toString();
  const byPoint = new URLSearchParams({ latitude, longitude }).toString();
  await ask(
    'census by query',
    'GET',
    `/v1/census-data?${byAddress}&geographies=tract,block_group&years=2024&census_keys=B19013_001E&census_keys=B25077_001E`,
  );
  await ask('census by query and category', 'GET', `/v1/census-data?${byPoint}&categories=housing`);
  await ask(
    'crime by query',
    'GET',
    `/v1/crime-data?${byPoint}&radius_mi=1&include_crime_summary=true&limit=5`,
  );
  await ask('crime by query, bad radius', 'GET', `/v1/crime-data?${byPoint}&radius_mi=99`);
  await ask('fire by query', 'GET', `/v1/fire-risk?${byAddress}`);
  await ask('flood by query', 'GET', `/v1/flood-zone?${byAddress}`);
}

async function requestCrimePages(ask: Ask, location: object): Promise<void> {
  let cursor: string | null = null;
  for (const page of [1, 2, 3]) {
    const { body } = await ask(`crime page ${page}`, 'POST', '/v1/crime-data', {
      body: { location, radius_mi: 2, limit: 7, ...(cursor === null ? {} : { cursor }) },
    });
    cursor = (body?.meta?.next_cursor as string | undefined) ?? null;
    if (cursor === null) return;
  }
  await ask('crime bad cursor', 'POST', '/v1/crime-data', { body: { location, cursor: 'nonsense' } });
}

const SECTIONS = [
  'property-avm',
  'rental-avm',
  'multifamily-avm',
  'census-data',
  'crime-data',
  'fire-risk',
  'flood-zone',
] as const;

export async function requestComprehensive(ask: Ask, files: string): Promise<void> {
  for (const [i, row] of someRows(files, PARCELS, 12).entries()) {
    await ask(`comprehensive ${i}`, 'POST', '/v1/comprehensive', {
      body: {
        location: i % 2 === 0 ? { address: addressOf(row) } : pointOf(row),
        search_params: { num_comps: i % 3, date: '2026-11-20' },
        property_fields: { total_bedrooms: 3, total_bathrooms: 1.5 },
        rental_fields: { units: [{ bedrooms: 2, bathrooms: 1 }] },
        multifamily_fields: { total_units: 6, bedrooms: 9, bathrooms: 6 },
        census: { geographies: ['tract'], census_keys: ['B19013_001E'] },
        crime: { radius_mi: 0.5, limit: 10 },
        ...(i % 3 === 0 ? { requests: SECTIONS.filter((_, at) => (at + i) % 2 === 0) } : {}),
      },
    });
  }
  const point = { latitude: 42.398404, longitude: -71.150064 };
  await ask('comprehensive, part fails', 'POST', '/v1/comprehensive', {
    body: {
      location: point,
      property_fields: { total_bedrooms: 3, total_bathrooms: 1 },
      requests: ['property-avm', 'flood-zone'],
    },
  });
  await ask('comprehensive, all fail', 'POST', '/v1/comprehensive', {
    body: {
      location: point,
      property_fields: { total_bedrooms: 3, total_bathrooms: 1 },
      requests: ['property-avm'],
    },
  });
  await ask('comprehensive, unknown address', 'POST', '/v1/comprehensive', {
    body: { location: { address: '1 Nowhere Rd' }, requests: ['flood-zone'] },
  });
  await ask('comprehensive, unknown section', 'POST', '/v1/comprehensive', {
    body: { location: point, requests: ['weather'] },
  });
  await ask('comprehensive, missing fields', 'POST', '/v1/comprehensive', {
    body: { location: point, requests: ['rental-avm'] },
  });
}
