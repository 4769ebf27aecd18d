import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { addressPartsOf } from '../../domain/address-parts.ts';
import { boundsOfTile, type TilePlace } from '../../geo/map-tile.ts';
import { tileAt } from '../../../test/harness/places/tile-at.ts';
import { openImportFixture } from '../../../test/harness/load/import-files.ts';
import { importMapLayer } from '../../load/import-map-layer.ts';
import { openPlaces } from '../../places/open-places.ts';
import { publishAreas, type TestArea } from '../../../test/harness/places/census-places.ts';
import { insertAddressPoints, type KeyedAddressPoint } from '../../store/address-points.ts';
import { currentDatasets } from '../../store/datasets.ts';
import type { Store } from '../../store/store.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { SOURCE } from '../../../test/harness/store/rows.ts';
import { seededRandom } from '../../valuation/random.ts';
import { type MapTiles, openMapTiles } from './map-tiles.ts';
import type { DatasetKind } from '../../store/tables/datasets.ts';
import { beginDataset, publishDataset } from '../../store/publish-dataset.ts';

const LAT = 43.05;
const LON = -87.95;

/** Ten streets east and ten north, a house every 20 m on both sides, and two units at every tenth. */
function town(): KeyedAddressPoint[] {
  const points: KeyedAddressPoint[] = [];
  const add = (street: string, lat: number, lon: number): void => {
    const address = { street, city: 'Riverton', stateCode: 'WI', postalCode: '53001' };
    points.push({ address, lat, lon, parcelId: null, key: addressPartsOf(address), knownOn: null });
  };
  for (let row = 0; row < 10; row++) {
    for (let lot = 0; lot < 60; lot++) {
      const [even, odd] = [100 + 4 * lot, 101 + 4 * lot];
      const [along, across] = [lot * 0.000_18, row * 0.0018];
      add(`${even} W ${row + 1}00TH ST`, LAT + across - 0.000_15, LON + along * 1.37);
      add(`${odd} W ${row + 1}00TH ST`, LAT + across + 0.000_15, LON + along * 1.37);
      if (lot % 10 === 0) add(`${even} W ${row + 1}00TH ST #2`, LAT + across - 0.000_15, LON + along * 1.37);
    }
  }
  return points;
}

/** Tiles round coordinates to 1/4,096 of their side, which still shows the row of houses. */
const rowOf = (lat: number): number => Math.round((lat - LAT) / 0.0018);

async function publishAddresses(
  store: Store,
  kind: DatasetKind,
  points: readonly KeyedAddressPoint[],
): Promise<void> {
  const datasetId = await beginDataset(store, { marketId: 'wi-riverton', kind, source: SOURCE });
  await insertAddressPoints(store, datasetId, points);
  // Addresses are also part of parcels and sales; those rows are not address points.
  const rows = kind === 'addresses' ? points.length : 0;
  await publishDataset(store, datasetId, { rows, contentHash: `${kind}-${points.length}` });
}

const tract = (geoid: string, west: number, east: number, vintage = 2020): TestArea => ({
  record: { geoid, vintage, name: `Census Tract ${geoid.slice(5)}` },
  west,
  south: LAT - 0.01,
  east,
  north: LAT + 0.01,
});
const TRACTS = [
  tract('55079000100', LON - 0.01, LON + 0.004),
  tract('55079000200', LON + 0.004, LON + 0.02),
  tract('55079000900', LON - 0.01, LON + 0.02, 2010),
];

function tilesOf(store: Store): MapTiles {
  return openMapTiles(openPlaces(store, () => currentDatasets(store)));
}

interface Seen {
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The features of a layer in degrees, read as a browser would. */
async function layerOf(tiles: MapTiles, place: TilePlace, name: string): Promise<Seen[]> {
  const { bytes } = await tiles.tile(place);
  const layer = new VectorTile(new PbfReader(bytes)).layers[name];
  if (!layer) return [];
  return Array.from({ length: layer.length }, (_, i) => {
    const { geometry, properties } = layer.feature(i).toGeoJSON(place.x, place.y, place.z);
    return {
      geometry: { type: geometry.type, coordinates: 'coordinates' in geometry ? geometry.coordinates : [] },
      properties: properties ?? {},
    };
  });
}

for (const engine of engines) {
  test(`${engine.name}: a tile shows each house in its square once, with its number at the last zoom`, async () => {
    const store = await engine.open();
    const points = town();
    await publishAddresses(store, 'addresses', points);
    const tiles = tilesOf(store);
    const place = tileAt(LAT + 0.009, LON + 0.007, 16);
    const { south, north, west, east } = boundsOfTile(place, 1 / 64);
    const expected = points
      .filter(({ lat, lon }) => lat >= south && lat <= north && lon >= west && lon <= east)
      .map(({ key, lat }) => `${key.number} of row ${rowOf(lat)}`);
    const houses = await layerOf(tiles, place, 'addresses');
    const shown = houses.map(({ geometry, properties }) => {
      const [, lat] = geometry.coordinates as [number, number];
      return `${String(properties.number)} of row ${rowOf(lat)}`;
    });
    assert.deepEqual(shown.sort(), [...new Set(expected)].sort());
    assert.ok(shown.length > 50);

    const fartherOut = await layerOf(tiles, tileAt(LAT + 0.009, LON + 0.007, 14), 'addresses');
    assert.ok(fartherOut.length > shown.length);
    assert.ok(fartherOut.every(({ properties }) => Object.keys(properties).length === 0));
    await store.close();
  });

  test(`${engine.name}: areas cover exactly the points that they contain, and are of the newest census only`, async () => {
    const store = await engine.open();
    await publishAreas(store, 'wi-riverton', 'census-areas', TRACTS);
    const tiles = tilesOf(store);
    const place = tileAt(LAT, LON, 12);
    const drawn = await layerOf(tiles, place, 'tracts');
    assert.deepEqual(drawn.map(({ properties }) => properties.geoid).sort(), ['55079000100', '55079000200']);
    const random = seededRandom(1);
    const { south, north, west, east } = boundsOfTile(place);
    for (let i = 0; i < 300; i++) {
      const lat = south + (north - south) * random();
      const lon = west + (east - west) * random();
      const held = TRACTS.slice(0, 2).filter(
        (area) => lat > area.south && lat < area.north && lon > area.west && lon < area.east,
      );
      const isAtEdge = TRACTS.some(
        (area) =>
          Math.min(Math.abs(lat - area.south), Math.abs(lat - area.north)) < 1e-4 ||
          Math.min(Math.abs(lon - area.west), Math.abs(lon - area.east)) < 1e-4,
      );
      if (isAtEdge) continue;
      const found = drawn.filter(({ geometry }) => isInside(geometry, lat, lon));
      assert.deepEqual(
        found.map(({ properties }) => properties.geoid),
        held.map(({ record }) => record.geoid),
      );
    }
    await store.close();
  });

  test(`${engine.name}: roads appear by class as the map zooms in, with their names; areas are named once`, async () => {
    const fixture = await openImportFixture(engine);
    const { store, deps, file } = fixture;
    const road = (highway: string, name: string, lat: number) => ({
      type: 'Feature',
      properties: { '@id': name, highway, name },
      geometry: {
        type: 'LineString',
        coordinates: [
          [LON - 0.005, lat],
          [LON + 0.005, lat],
        ],
      },
    });
    const square = [
      [LON, LAT],
      [LON + 0.01, LAT],
      [LON + 0.01, LAT + 0.01],
      [LON, LAT + 0.01],
      [LON, LAT],
    ];
    const layers = {
      roads: [road('motorway', 'I 43', LAT), road('residential', 'Elm St', LAT + 0.001)],
      parks: [
        {
          type: 'Feature',
          properties: { name: 'Mill Park' },
          geometry: { type: 'Polygon', coordinates: [square] },
        },
      ],
    };
    for (const layer of ['roads', 'parks'] as const) {
      const path = file(
        `${layer}.geojson`,
        JSON.stringify({ type: 'FeatureCollection', features: layers[layer] }),
      );
      await importMapLayer(deps, { marketId: 'wi-riverton', files: [path] }, layer);
    }
    const tiles = tilesOf(store);
    const namesAt = async (zoom: number, layer: string) => {
      const seen = await layerOf(tiles, tileAt(LAT + 0.005, LON + 0.004, zoom), layer);
      return seen.map(({ geometry, properties }) => [geometry.type, properties.class, properties.name]);
    };
    const highway = ['LineString', 'highway', 'I 43'];
    assert.deepEqual(await namesAt(8, 'roads'), [highway]);
    assert.deepEqual(await namesAt(12, 'roads'), [highway, ['LineString', 'local', 'Elm St']]);
    assert.deepEqual(await namesAt(8, 'parks'), []);
    assert.deepEqual(await namesAt(12, 'parks'), [
      ['Polygon', 'park', undefined],
      ['Point', 'park', 'Mill Park'],
    ]);
    await fixture.close();
  });

  test(`${engine.name}: imported data is shown at once, under another version; the same data gives the same bytes`, async () => {
    const store = await engine.open();
    const points = town();
    const tiles = tilesOf(store);
    const place = tileAt(LAT + 0.005, LON + 0.005, 14);
    const before = await tiles.tile(place);
    assert.deepEqual(await layerOf(tiles, place, 'addresses'), []);
    await publishAddresses(store, 'addresses', points);
    const after = await tiles.tile(place);
    assert.notEqual(after.version, before.version);
    assert.ok((await layerOf(tiles, place, 'addresses')).length > 100);
    assert.deepEqual(await tilesOf(store).tile(place), after);
    // Sales and listings repeat addresses that a survey has more precisely.
    await publishAddresses(store, 'parcels', points.slice(0, 50));
    assert.deepEqual((await tiles.tile(place)).bytes, after.bytes);
    await store.close();
  });
}

test('at low zoom a tile shows counties, and at high zoom nothing else if nothing is loaded', async () => {
  const store = await engines[0].open();
  const tiles = tilesOf(store);
  const counties = await layerOf(tiles, tileAt(LAT, LON, 8), 'counties');
  assert.ok(counties.some(({ properties }) => properties.name === 'Milwaukee County'));
  assert.equal((await tiles.tile(tileAt(0, 0, 16))).bytes.length, 0);
  for (const wrong of [
    { z: 2, x: 0, y: 0 },
    { z: 17, x: 0, y: 0 },
    { z: 8, x: 256, y: 0 },
    { z: 8, x: 0.5, y: 0 },
  ]) {
    await assert.rejects(tiles.tile(wrong), { code: 'not_found' });
  }
  await store.close();
});

/** Even-odd rule, edge by edge. */
function isInside({ type, coordinates }: Seen['geometry'], lat: number, lon: number): boolean {
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as number[][][][];
  let isIn = false;
  for (const ring of polygons.flat()) {
    for (let i = 1; i < ring.length; i++) {
      const [[ax, ay], [bx, by]] = [ring[i - 1], ring[i]];
      if (ay > lat !== by > lat && lon < ax + ((lat - ay) / (by - ay)) * (bx - ax)) isIn = !isIn;
    }
  }
  return isIn;
}
