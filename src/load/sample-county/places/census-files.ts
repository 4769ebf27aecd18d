import type { AreaVintage, CensusLevel } from '../../../domain/census/geoid.ts';
import { yearMonthOf, type Day } from '../../../domain/day.ts';
import { stateNameOf } from '../../../domain/us-states.ts';
import type { SampleCounty } from '../sample-county.ts';
import { PLACE } from '../town/town-plan.ts';
import { censusPlanOf, type SampleArea } from './census-plan.ts';
import { BASIC_TABLES, SAMPLE_TABLES, type SampleTable } from './census-tables.ts';
import { geoJsonLines } from './geojson.ts';
import { dwellingsIn, type Dwelling } from './households.ts';
import type { SampleFile } from './sample-file.ts';

/** The areas of one census, all levels in one file, in the Bureau's field names. */
export function censusAreaFile({ blocks }: SampleCounty, vintage: AreaVintage): SampleFile {
  const name = `generated-census-areas-${vintage}`;
  const suffix = vintage % 100;
  const features = censusPlanOf(blocks, vintage).map(({ geoid, name: fullName, polygons }) => ({
    properties: { [`GEOID${suffix}`]: geoid, [`NAMELSAD${suffix}`]: fullName },
    polygons,
  }));
  return { name: `${name}.geojson`, chunks: geoJsonLines(name, features) };
}

/** The last year whose five-year estimates are out on a day: they come in December of the year after. */
export function newestAcsYear(day: Day): number {
  const { year, month } = yearMonthOf(day);
  return month === 12 ? year - 1 : year - 2;
}

/** The last year whose estimates speak of the areas of 2010. */
const LAST_YEAR_OF_2010 = 2019;

/** One file a table, as data.census.gov exports it: many tables of the newest year, and a few of 2019. */
export function censusValueFiles(county: SampleCounty): SampleFile[] {
  return [
    ...tableFiles(county, 2020, newestAcsYear(county.asOf), SAMPLE_TABLES),
    ...tableFiles(county, 2010, LAST_YEAR_OF_2010, BASIC_TABLES),
  ];
}

function tableFiles(
  county: SampleCounty,
  vintage: AreaVintage,
  year: number,
  tables: readonly SampleTable[],
): SampleFile[] {
  const plan = censusPlanOf(county.blocks, vintage);
  const dwellings = dwellingsIn(county, year);
  const rows = plan.map((area) => ({ area, homes: dwellings.filter(({ cell }) => area.cells.has(cell)) }));
  return tables.map((table) => ({
    name: `generated-ACSDT5Y${year}.${table.id}-Data.csv`,
    chunks: tableLines(table, rows, dwellings),
  }));
}

/** The Bureau begins its files with a mark of their encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

function* tableLines(
  { id, linesIn }: SampleTable,
  rows: readonly { readonly area: SampleArea; readonly homes: readonly Dwelling[] }[],
  county: readonly Dwelling[],
): Generator<string> {
  const linesOf = linesIn(county);
  for (const [at, { area, homes }] of rows.entries()) {
    const figures = linesOf(homes);
    if (at === 0) {
      const columns = figures.flatMap((_, line) => {
        const column = `${id}_${String(line + 1).padStart(3, '0')}`;
        return [`${column}E`, `${column}M`];
      });
      yield `${BYTE_ORDER_MARK}GEO_ID,NAME,${columns.join(',')}\n`;
    }
    const cells = figures.flatMap(({ estimate, margin }) => [quoted(estimate), margin]);
    yield `${SUMMARY_LEVELS[area.level]}0000US${area.geoid},${quoted(longName(area))},${cells.join(',')}\n`;
  }
}

const SUMMARY_LEVELS: Readonly<Record<CensusLevel, string>> = {
  county: '050',
  cousub: '060',
  tract: '140',
  block_group: '150',
};

const quoted = (text: string): string => (text.includes(',') ? `"${text}"` : text);

/** "Block Group 1, Census Tract 3, Plumb County (generated), Nowhere (generated)". */
function longName({ level, name, geoid }: SampleArea): string {
  const tract = level === 'block_group' ? [`Census Tract ${Number(geoid.slice(5, 9))}`] : [];
  const county = level === 'county' ? [] : [PLACE.countyName];
  return [name, ...tract, ...county, stateNameOf(PLACE.stateCode)].join(', ');
}
