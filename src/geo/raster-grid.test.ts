import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { CONUS_ALBERS, openProjection } from './projection.ts';
import {
  boundsOfGrid,
  cellFinderOf,
  TILE_CELLS,
  tileColumnsOf,
  tileCountOf,
  type RasterGrid,
} from './raster-grid.ts';

/** King County, WA, and surroundings in cells of 30 m. */
const KING: RasterGrid = {
  projection: CONUS_ALBERS,
  west: -1_990_005,
  north: 3_000_015,
  cellWidth: 30,
  cellHeight: 30,
  columns: 5000,
  rows: 4100,
};
const DEGREES: RasterGrid = {
  projection: null,
  west: -122.5,
  north: 48,
  cellWidth: 0.01,
  cellHeight: 0.02,
  columns: 300,
  rows: 77,
};

const { project, unproject } = openProjection(CONUS_ALBERS);

test('degrees round-trip through meters, anywhere in the conterminous states', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 24, max: 50, noNaN: true }),
      fc.double({ min: -125, max: -66, noNaN: true }),
      (lat, lon) => {
        const { x, y } = project(lat, lon);
        const back = unproject(x, y);
        assert.ok(Math.abs(back.lat - lat) < 1e-9 && Math.abs(back.lon - lon) < 1e-9);
      },
    ),
  );
});

test('the middle of every cell lies in that cell, in meters and in degrees', () => {
  for (const grid of [KING, DEGREES]) {
    const find = cellFinderOf(grid);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: grid.rows - 1 }),
        fc.integer({ min: 0, max: grid.columns - 1 }),
        (row, column) => {
          const x = grid.west + (column + 0.5) * grid.cellWidth;
          const y = grid.north - (row + 0.5) * grid.cellHeight;
          const { lat, lon } = grid.projection ? unproject(x, y) : { lat: y, lon: x };
          const tileRow = Math.floor(row / TILE_CELLS);
          const tileColumn = Math.floor(column / TILE_CELLS);
          assert.deepEqual(find(lat, lon), {
            tile: tileRow * tileColumnsOf(grid) + tileColumn,
            cell: (row - tileRow * TILE_CELLS) * TILE_CELLS + (column - tileColumn * TILE_CELLS),
          });
        },
      ),
    );
  }
  assert.equal(tileCountOf(DEGREES), 2);
});

test('a line between cells belongs to the cell south and east of it, and outer edges to one cell at most', () => {
  const find = cellFinderOf({
    ...DEGREES,
    west: -122,
    north: 48,
    cellWidth: 0.5,
    cellHeight: 0.5,
    columns: 2,
    rows: 2,
  });
  assert.deepEqual(find(48, -122), { tile: 0, cell: 0 });
  assert.deepEqual(find(47.5, -121.5), { tile: 0, cell: TILE_CELLS + 1 });
  assert.equal(find(47, -121.2), null);
  assert.equal(find(47.2, -121), null);
  assert.equal(find(48.0001, -121.2), null);
  assert.equal(find(47.2, -122.0001), null);
});

test('a raster across the antimeridian is found from both sides', () => {
  const find = cellFinderOf({
    ...DEGREES,
    west: 179,
    north: 1,
    cellWidth: 1,
    cellHeight: 1,
    columns: 2,
    rows: 1,
  });
  assert.deepEqual(find(0.5, 179.5), { tile: 0, cell: 0 });
  assert.deepEqual(find(0.5, -179.5), { tile: 0, cell: 1 });
  assert.equal(find(0.5, -178.5), null);
});

test('the bounds contain every point of the raster', () => {
  for (const grid of [KING, DEGREES]) {
    const bounds = boundsOfGrid(grid);
    const find = cellFinderOf(grid);
    fc.assert(
      fc.property(
        fc.double({ min: bounds.south - 1, max: bounds.north + 1, noNaN: true }),
        fc.double({ min: bounds.west - 1, max: bounds.east + 1, noNaN: true }),
        (lat, lon) => {
          const isInBox =
            lat >= bounds.south && lat <= bounds.north && lon >= bounds.west && lon <= bounds.east;
          assert.ok(isInBox || find(lat, lon) === null, `${lat} ${lon}`);
        },
      ),
      { numRuns: 2000 },
    );
  }
});
