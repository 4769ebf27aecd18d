import type { CensusLevel } from './geoid.ts';

/** Terms for county equivalents (Census Bureau, legal/statistical area descriptions), by state or territory. */
const STATE_TERMS: Readonly<Record<string, string>> = {
  '22': 'Parish',
  '60': 'District',
  '69': 'Municipality',
  '72': 'Municipio',
  '78': 'Island',
};

/** Alaska has boroughs, census areas, and cities that are boroughs. By the county's code. */
const ALASKA: Readonly<Record<string, string>> = {
  Borough: '013 060 068 090 100 122 130 150 164 170 185 188 195',
  'Census Area': '016 050 063 066 070 105 158 180 198 240 261 270 290',
  Municipality: '020 230',
  'City and Borough': '110 220 275 282',
};

/** Baltimore, St. Louis, and the cities of Virginia are county equivalents. Their codes start at 510. */
const STATES_WITH_CITIES: readonly string[] = ['24', '29', '51'];
const FIRST_CITY_CODE = 510;
/** Connecticut's planning regions replaced its counties in 2022. */
const FIRST_PLANNING_REGION = '09110';
/** Names without a term: the District of Columbia, Carson City, Samoa's Rose and Swains Islands, Guam. */
const PLAIN: readonly string[] = ['11001', '32510', '60030', '60040', '66010'];

/**
 * The name of an area with its kind: "Census Tract 107.02", "Block Group 5", "King County". Tracts and block
 * groups are named by their codes; a county or town without a short name has no name.
 */
export function censusAreaName(level: CensusLevel, geoid: string, shortName: string | null): string | null {
  if (level === 'tract') return `Census Tract ${tractNumber(geoid)}`;
  if (level === 'block_group') return `Block Group ${geoid.slice(-1)}`;
  return level === 'county' && shortName !== null ? countyFullName(geoid, shortName) : shortName;
}

/** "…010702" → "107.02", "…353600" → "3536": the Bureau's format of tract codes. */
function tractNumber(geoid: string): string {
  const decimals = geoid.slice(9);
  return String(Number(geoid.slice(5, 9))) + (decimals === '00' ? '' : `.${decimals}`);
}

/** "King", 53033 → "King County"; "Orleans", 22071 → "Orleans Parish"; "Richmond", 51760 → "Richmond city". */
export function countyFullName(geoid: string, name: string): string {
  const term = countyTermOf(geoid);
  return term === null || name.toLowerCase().endsWith(` ${term.toLowerCase()}`) ? name : `${name} ${term}`;
}

function countyTermOf(geoid: string): string | null {
  const [state, county] = [geoid.slice(0, 2), geoid.slice(2)];
  if (PLAIN.includes(geoid)) return null;
  if (state === '02') return Object.keys(ALASKA).find((term) => ALASKA[term].includes(county)) ?? null;
  if (STATES_WITH_CITIES.includes(state) && Number(county) >= FIRST_CITY_CODE) return 'city';
  if (state === '09' && geoid >= FIRST_PLANNING_REGION) return 'Planning Region';
  return STATE_TERMS[state] ?? 'County';
}
