/**
 * The terms for county equivalents, by FIPS code (Census Bureau, legal/statistical area descriptions). Files
 * with short names contain "King", "Orleans", "Richmond"; the code determines which is a county, a parish or
 * a city.
 */

/** States and territories that use a term other than County throughout. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  '22': 'Parish',
  '60': 'District',
  '69': 'Municipality',
  '72': 'Municipio',
  '78': 'Island',
};

/** States whose independent cities are county equivalents; their codes start at 510. */
const FIRST_CITY_CODE = 510;
/**
 * Baltimore, St. Louis, and the cities of Virginia. The name of Carson City (32510) already contains the
 * term.
 */
const STATES_WITH_CITIES: readonly string[] = ['24', '29', '51'];

/** Alaska has boroughs, census areas, and cities that are boroughs. */
const ALASKA: Readonly<Record<string, string>> = {
  '02013': 'Borough',
  '02016': 'Census Area',
  '02020': 'Municipality',
  '02050': 'Census Area',
  '02060': 'Borough',
  '02063': 'Census Area',
  '02066': 'Census Area',
  '02068': 'Borough',
  '02070': 'Census Area',
  '02090': 'Borough',
  '02100': 'Borough',
  '02105': 'Census Area',
  '02110': 'City and Borough',
  '02122': 'Borough',
  '02130': 'Borough',
  '02150': 'Borough',
  '02158': 'Census Area',
  '02164': 'Borough',
  '02170': 'Borough',
  '02180': 'Census Area',
  '02185': 'Borough',
  '02188': 'Borough',
  '02195': 'Borough',
  '02198': 'Census Area',
  '02220': 'City and Borough',
  '02230': 'Municipality',
  '02240': 'Census Area',
  '02261': 'Census Area',
  '02270': 'Census Area',
  '02275': 'City and Borough',
  '02282': 'City and Borough',
  '02290': 'Census Area',
};

/** Names without a term: the District of Columbia, Carson City, Samoa's Rose and Swains Islands, Guam. */
const PLAIN: readonly string[] = ['11001', '32510', '60030', '60040', '66010'];
/** Connecticut's planning regions replaced its counties in 2022. */
const FIRST_PLANNING_REGION = '09110';

/** "King", 53033 → "King County"; "Orleans", 22071 → "Orleans Parish"; "Richmond", 51760 → "Richmond city". */
export function countyFullName(geoid: string, name: string): string {
  const word = wordOf(geoid);
  return word === null || name.toLowerCase().endsWith(` ${word.toLowerCase()}`) ? name : `${name} ${word}`;
}

function wordOf(geoid: string): string | null {
  const state = geoid.slice(0, 2);
  if (PLAIN.includes(geoid)) return null;
  if (state === '02') return ALASKA[geoid] ?? null;
  if (STATES_WITH_CITIES.includes(state) && Number(geoid.slice(2)) >= FIRST_CITY_CODE) return 'city';
  if (state === '09' && geoid >= FIRST_PLANNING_REGION) return 'Planning Region';
  return STATE_WORDS[state] ?? 'County';
}
