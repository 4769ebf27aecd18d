/**
 * Draws the generated sample county as SVG: homes colored by true value (per square foot or total), type or
 * year; or block groups, flood zones, burn probability and crime:
 *   node bench/draw-sample-county.ts out.svg [value|sqft|type|year|places]
 */
import { writeFile } from 'node:fs/promises';
import { parseDay } from '../src/domain/day.ts';
import { PROPERTY_TYPES } from '../src/domain/property.ts';
import { generateSampleCounty, SAMPLE_SEED } from '../src/load/sample-county/generate-sample-county.ts';
import { censusPlanOf } from '../src/load/sample-county/places/census-plan.ts';
import { burnProbability } from '../src/load/sample-county/places/fire-raster.ts';
import { floodZones } from '../src/load/sample-county/places/flood-areas.ts';
import { incidentRows } from '../src/load/sample-county/places/incidents.ts';
import type { SampleCounty, SampleParcel } from '../src/load/sample-county/sample-county.ts';
import { fromLatLon, type PlanePoint } from '../src/load/sample-county/town/terrain.ts';
import { NEIGHBOURHOODS, PARKS, SCHOOLS } from '../src/load/sample-county/town/town-plan.ts';
import {
  COUNTY_FEET,
  lakeRing,
  neighbourhoodShapes,
  railLine,
  riverRing,
  type Ring,
} from '../src/load/sample-county/town/town-shapes.ts';
import { trueValueUsd } from '../src/load/sample-county/true-value.ts';

const HALF_WIDTH_FT = 6600;
const HALF_HEIGHT_FT = 5600;
const RAMP = ['#2b3a8c', '#2f7fb8', '#44b39a', '#a6d15e', '#f7d24a', '#f08a3c', '#c9304b'];
const TYPE_COLOURS = ['#7a8fa6', '#3aa17e', '#c9304b', '#e0a030', '#7b3fa0', '#222222'];
const BLOCK_COLOURS: Readonly<Record<string, string>> = {
  park: '#bfdcae',
  school: '#e8d3a8',
  commercial: '#ddd6da',
};

const xy = ({ x, y }: PlanePoint): string => `${x.toFixed(0)},${(-y).toFixed(0)}`;
const path = (ring: Ring): string => ring.map(([lon, lat]) => xy(fromLatLon(lat, lon))).join(' ');

function measure(county: SampleCounty, parcel: SampleParcel, by: string): number {
  if (by === 'type') return PROPERTY_TYPES.indexOf(parcel.type);
  if (by === 'year') return parcel.attributes.yearBuilt ?? 0;
  const value = trueValueUsd(parcel, county.asOf);
  return by === 'sqft'
    ? value / (parcel.attributes.livingAreaSqft ?? 1)
    : value / (parcel.attributes.totalUnits ?? 1);
}

/** Colors by rank, so that a few expensive homes do not make all others look the same. */
function colours(county: SampleCounty, by: string): string[] {
  const values = county.parcels.map((parcel) => measure(county, parcel, by));
  if (by === 'type') return values.map((type) => TYPE_COLOURS[type]);
  const sorted = values.toSorted((a, b) => a - b);
  return values.map((value) => {
    const rank = sorted.findIndex((other) => other >= value) / sorted.length;
    return RAMP[Math.floor(rank * RAMP.length)];
  });
}

/** Homes as dots, and the neighborhoods. */
function homesOf(county: SampleCounty, by: string): string[] {
  const fills = colours(county, by);
  return [
    ...county.parcels.map(
      (parcel, at) =>
        `<circle cx="${parcel.point.x.toFixed(0)}" cy="${(-parcel.point.y).toFixed(0)}" r="17" fill="${fills[at]}"/>`,
    ),
    ...neighbourhoodShapes(county.blocks).flatMap(({ rings }) =>
      rings.map((ring) => `<polygon points="${path(ring)}" fill="none" stroke="#333" stroke-width="14"/>`),
    ),
  ];
}

const FIRE_CELL_FT = 200;

/** Flood in blue, fire in orange, incidents as dots, block groups outlined. */
function placesOf(county: SampleCounty): string[] {
  const fire: string[] = [];
  for (let x: number = COUNTY_FEET.west; x < COUNTY_FEET.east; x += FIRE_CELL_FT)
    for (let y: number = COUNTY_FEET.south; y < COUNTY_FEET.north; y += FIRE_CELL_FT) {
      const probability = burnProbability({ x: x + FIRE_CELL_FT / 2, y: y + FIRE_CELL_FT / 2 });
      if (probability === 0) continue;
      const opacity = (0.15 * Math.log10(probability / 2e-5)).toFixed(2);
      fire.push(
        `<rect x="${x}" y="${-y - FIRE_CELL_FT}" width="${FIRE_CELL_FT}" height="${FIRE_CELL_FT}" fill="#e0702a" fill-opacity="${opacity}"/>`,
      );
    }
  const flood = floodZones()
    .filter(({ subtype }) => !subtype?.includes('MINIMAL'))
    .map(({ ring }) => `<polygon points="${path(ring)}" fill="#2f6fb8" fill-opacity="0.2"/>`);
  const crime = [...incidentRows(county)].map(({ latitude, longitude }) => {
    const { x, y } = fromLatLon(Number(latitude), Number(longitude));
    return `<circle cx="${x.toFixed(0)}" cy="${(-y).toFixed(0)}" r="40" fill="#a0103a" fill-opacity="0.06"/>`;
  });
  const groups = censusPlanOf(county.blocks, 2020)
    .filter(({ level }) => level === 'block_group')
    .flatMap(({ polygons }) => polygons.flat())
    .map((ring) => `<polygon points="${path(ring)}" fill="none" stroke="#333" stroke-width="18"/>`);
  return [...fire, ...flood, ...crime, ...groups];
}

function svgOf(county: SampleCounty, by: string): string {
  const label = (place: PlanePoint & { name: string }, size: number, style: string): string =>
    `<text x="${place.x}" y="${-place.y}" font-size="${size}" text-anchor="middle" ${style}>${place.name}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-HALF_WIDTH_FT} ${-HALF_HEIGHT_FT} ${2 * HALF_WIDTH_FT} ${2 * HALF_HEIGHT_FT}" width="1320" height="1120" font-family="sans-serif">`,
    `<rect x="${-HALF_WIDTH_FT}" y="${-HALF_HEIGHT_FT}" width="100%" height="100%" fill="#f3f1ea"/>`,
    ...county.blocks.map(
      (block) =>
        `<polygon points="${block.corners.map(xy).join(' ')}" fill="${BLOCK_COLOURS[block.use] ?? '#faf9f5'}" stroke="#d8d4c8" stroke-width="22"/>`,
    ),
    `<polygon points="${path(riverRing())}" fill="#8fbcdc"/>`,
    `<polygon points="${path(lakeRing())}" fill="#8fbcdc"/>`,
    `<polyline points="${path(railLine())}" fill="none" stroke="#666" stroke-width="26" stroke-dasharray="60 30"/>`,
    ...(by === 'places' ? placesOf(county) : homesOf(county, by)),
    ...[...PARKS, ...SCHOOLS].map((place) => label(place, 90, 'fill="#555"')),
    ...NEIGHBOURHOODS.map((hood) =>
      label(hood, 190, 'font-weight="bold" fill="#111" stroke="#fff" stroke-width="45" paint-order="stroke"'),
    ),
    `<text x="${-HALF_WIDTH_FT + 150}" y="${HALF_HEIGHT_FT - 150}" font-size="150" fill="#444">Generated sample county (not real), by ${by}</text>`,
    '</svg>',
  ].join('\n');
}

const [out = 'sample-county.svg', by = 'value'] = process.argv.slice(2);
const county = generateSampleCounty(SAMPLE_SEED, parseDay('2026-01-01') ?? 0);
await writeFile(out, svgOf(county, by));
console.log(`${county.parcels.length} homes drawn by ${by} in ${out}`);
