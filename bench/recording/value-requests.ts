import type { Ask } from './api-client.ts';
import { addressOf, numberOf, pointOf, someRows, type Row } from './staged-homes.ts';

const PARCELS = 'sample-county/generated-parcels.csv';
const YES_NO = [
  'has_pool',
  'has_basement',
  'has_central_air',
  'has_porch',
  'has_deck',
  'has_laundry',
  'has_adu',
];
const COUNTS = [
  'living_area',
  'lot_size',
  'year_built',
  'condition',
  'fireplace_count',
  'garage_spaces',
  'other_spaces',
];

function definedOf(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Everything that the roll says of a home, as a request may say it. */
export function fullFields(row: Row): Record<string, unknown> {
  const stories = numberOf(row.num_stories);
  return definedOf({
    total_bedrooms: Math.round(numberOf(row.bedrooms) ?? 2),
    total_bathrooms: numberOf(row.bathrooms) ?? 1,
    property_type: row.property_type,
    total_units: Number(row.total_units) <= 4 ? numberOf(row.total_units) : undefined,
    num_stories: stories === undefined ? undefined : Math.min(5, Math.max(1, Math.round(stories))),
    ...Object.fromEntries(COUNTS.map((name) => [name, numberOf(row[name])])),
    ...Object.fromEntries(YES_NO.map((name) => [name, row[name] ? row[name] === 'true' : undefined])),
  });
}

export function briefFields(row: Row): Record<string, unknown> {
  return {
    total_bedrooms: Math.round(numberOf(row.bedrooms) ?? 2),
    total_bathrooms: numberOf(row.bathrooms) ?? 1,
  };
}

const isHome = (row: Row): boolean => row.property_type !== 'multifamily';
const isBuilding = (row: Row): boolean =>
  row.property_type === 'multifamily' || row.property_type === 'small_multifamily';

/** @returns ids of some of the valuations, for reading and replaying */
export async function requestProperties(ask: Ask, files: string): Promise<string[]> {
  const ids: string[] = [];
  const value = async (name: string, body: object): Promise<void> => {
    const { body: answer } = await ask(`property ${name}`, 'POST', '/v1/avm/property', { body });
    if (ids.length < 12 && answer?.valuation) ids.push(answer.valuation.valuation_id as string);
  };
  const days = ['2026-11-20', '2026-08-01', '2025-12-15', '2026-11-22'];
  for (const [i, row] of someRows(files, PARCELS, 48, isHome).entries()) {
    const search_params = {
      num_comps: i % 6 === 0 ? 20 : i % 5,
      date: days[i % days.length],
      ...(i % 7 === 0 ? { radius_mi: 0.5, lookback_months: 12 } : {}),
    };
    const isFull = i % 2 === 0;
    await value(`sample ${i} by ${isFull ? 'point' : 'address'}`, {
      location: isFull ? pointOf(row) : { address: addressOf(row) },
      property_fields: isFull ? fullFields(row) : briefFields(row),
      search_params,
    });
  }
  for (const [i, row] of someRows(files, 'shared/king-sales.csv', 30).entries()) {
    const property_fields =
      i % 2 === 0
        ? briefFields(row)
        : {
            ...briefFields(row),
            living_area: numberOf(row.sqft_living),
            lot_size: numberOf(row.sqft_lot),
            year_built: numberOf(row.yr_built),
            condition: numberOf(row.condition),
          };
    await value(`king ${i}`, {
      location: pointOf(row),
      property_fields,
      search_params: { date: i % 3 === 0 ? '2015-07-01' : '2015-05-28', num_comps: i % 4 },
    });
  }
  for (const [i, row] of someRows(files, 'shared/milwaukee-sales.csv', 36).entries()) {
    await value(`milwaukee ${i}`, {
      location: i % 2 === 0 ? pointOf(row) : { address: `${row.address}, Milwaukee, WI` },
      property_fields: i % 3 === 0 ? fullFields(row) : briefFields(row),
      search_params: { date: '2023-01-31', num_comps: i % 3 },
    });
  }
  for (const [i, row] of someRows(files, 'east/sales.csv', 8).entries())
    await value(`east ${i}`, { location: pointOf(row), property_fields: fullFields(row) });
  for (const [i, row] of someRows(files, PARCELS, 10).entries()) {
    const query = new URLSearchParams({
      ...(i % 2 === 0
        ? { address: addressOf(row) }
        : { latitude: String(row.latitude), longitude: String(row.longitude) }),
      ...Object.fromEntries(Object.entries(fullFields(row)).map(([name, v]) => [name, String(v)])),
      num_comps: '2',
      date: '2026-11-20',
    });
    await ask(`property by query ${i}`, 'GET', `/v1/avm/property?${query.toString()}`);
  }
  return ids;
}

/** Units that vary in size, number and furnishing. */
function unitsOf(i: number): Record<string, unknown>[] {
  return Array.from({ length: 1 + (i % 3) }, (_, unit) =>
    definedOf({
      bedrooms: (i + unit) % 4,
      bathrooms: 1 + ((i + unit) % 2),
      size: i % 2 === 0 ? 600 + 90 * ((i + unit) % 5) : undefined,
      is_furnished: unit === 1 ? true : undefined,
    }),
  );
}

export async function requestRents(ask: Ask, files: string): Promise<string[]> {
  const ids: string[] = [];
  const value = async (name: string, body: object): Promise<void> => {
    const { body: answer } = await ask(`rental ${name}`, 'POST', '/v1/avm/rental', { body });
    if (ids.length < 5 && answer?.valuation) ids.push(answer.valuation.valuation_id as string);
  };
  for (const [i, row] of someRows(files, PARCELS, 30, (r) => r.property_type !== 'mobile').entries()) {
    const isByAddress = i % 2 === 0;
    await value(`sample ${i}`, {
      location: isByAddress ? { address: addressOf(row) } : pointOf(row),
      property_fields: definedOf({
        units: unitsOf(i),
        property_type: i % 3 === 0 ? row.property_type : undefined,
        total_units: i % 4 === 0 ? numberOf(row.total_units) : undefined,
        condition: i % 5 === 0 ? 4 : undefined,
        has_parking: i % 6 === 0 ? true : undefined,
        has_laundry: i % 7 === 0 ? false : undefined,
      }),
      search_params: { num_comps: i % 4, date: i % 3 === 0 ? '2026-11-20' : '2026-11-22' },
    });
  }
  for (const [i, row] of someRows(files, 'shared/nyc-rents.csv', 20).entries())
    await value(`nyc ${i}`, {
      location: pointOf(row),
      property_fields: { units: [{ bedrooms: i % 4, bathrooms: 1 }] },
      search_params: { num_comps: i % 3, date: '2016-08-01' },
    });
  // No rents are loaded east: census rents answer, or nothing does.
  for (const [i, row] of someRows(files, 'east/sales.csv', 12).entries())
    await value(`census east ${i}`, {
      location: pointOf(row),
      property_fields: { units: unitsOf(i) },
    });
  for (const [i, row] of someRows(files, PARCELS, 6).entries()) {
    const flat: Record<string, string> =
      i % 2 === 0
        ? { bedrooms: '2', bathrooms: '1', size: '850' }
        : { units: JSON.stringify(unitsOf(i + 1)) };
    const query = new URLSearchParams({ address: addressOf(row), num_comps: '1', ...flat });
    await ask(`rental by query ${i}`, 'GET', `/v1/avm/rental?${query.toString()}`);
  }
  return ids;
}

function buildingFields(row: Row, i: number): Record<string, unknown> {
  return definedOf({
    total_units: numberOf(row.total_units),
    bedrooms: numberOf(row.bedrooms) ?? numberOf(row.total_units),
    bathrooms: numberOf(row.bathrooms) ?? numberOf(row.total_units),
    living_area: i % 2 === 0 ? numberOf(row.living_area) : undefined,
    year_built: i % 3 === 0 ? numberOf(row.year_built) : undefined,
    property_type: i % 4 === 0 ? row.property_type : undefined,
  });
}

export async function requestBuildings(ask: Ask, files: string): Promise<string[]> {
  const ids: string[] = [];
  const value = async (name: string, body: object): Promise<void> => {
    const { body: answer } = await ask(`multifamily ${name}`, 'POST', '/v1/avm/multifamily', { body });
    if (ids.length < 5 && answer?.valuation) ids.push(answer.valuation.valuation_id as string);
  };
  for (const [i, row] of someRows(files, PARCELS, 24, isBuilding).entries())
    await value(`sample ${i}`, {
      location: i % 2 === 0 ? { address: addressOf(row) } : pointOf(row),
      property_fields: buildingFields(row, i),
      search_params: { num_comps: i % 5, date: '2026-11-20' },
    });
  for (const [i, row] of someRows(files, 'shared/milwaukee-sales.csv', 20, isBuilding).entries())
    await value(`milwaukee ${i}`, {
      location: pointOf(row),
      property_fields: buildingFields(row, i),
      search_params: { num_comps: i % 3, date: '2023-01-31' },
    });
  for (const [i, row] of someRows(files, PARCELS, 6, isBuilding).entries()) {
    const fields = buildingFields(row, i);
    const query = new URLSearchParams({
      address: addressOf(row),
      num_comps: '2',
      ...Object.fromEntries(Object.entries(fields).map(([name, v]) => [name, String(v)])),
    });
    await ask(`multifamily by query ${i}`, 'GET', `/v1/avm/multifamily?${query.toString()}`);
  }
  return ids;
}

/** Valuations read again and replayed. */
export async function requestPastValuations(ask: Ask, ids: readonly string[]): Promise<void> {
  for (const [i, id] of ids.entries()) {
    await ask(`valuation ${i} read again`, 'GET', `/v1/valuations/${id}`);
    await ask(`valuation ${i} replayed`, 'POST', `/v1/valuations/${id}/replay`);
  }
  const unknown = '01900000-0000-7000-8000-000000000000';
  await ask('valuation unknown', 'GET', `/v1/valuations/${unknown}`);
  await ask('valuation unknown replayed', 'POST', `/v1/valuations/${unknown}/replay`);
  await ask('valuation without an id', 'GET', '/v1/valuations/not-an-id');
}
