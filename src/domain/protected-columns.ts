/** Words that name a protected characteristic of people wherever they are a word of a column's name. */
const WORDS = new Set(
  (
    'race racial ethnicity ethnic hispanic latino latina latinx religion religious faith sex gender nationality ancestry ' +
    'immigrant immigrants disability disabilities disabled handicap handicapped marital married divorced widowed familial ' +
    'pregnancy pregnant children child kids minors poverty language senior seniors elderly'
  ).split(' '),
);

/** The same written as one word, or in several that are harmless alone. */
const PHRASES =
  /nationalorigin|countryofbirth|birthplace|foreignborn|familystatus|familysize|householdsize|householdincome|medianincome|percapitaincome|personalincome|medianage|meanage|avgage|averageage|ageof(owner|buyer|seller|head|resident|householder|people)|(owner|buyer|seller|resident|householder|population)s?age|(over|under)\d\d$|\d\d(andover|plus)$|(skin|owner|buyer|seller|person)colou?r|(pct|percent|share|population|pop)(white|black|asian|native)|(white|black|asian|native)(pct|percent|share|population|pop)|^(colou?r|age)$/;

const INCOME_OF_BUILDING = new Set([
  'rent',
  'rental',
  'operating',
  'noi',
  'net',
  'gross',
  'building',
  'property',
]);

/** The words of a column's name: `MedianAge`, `median_age` and `median age` are the same two. */
export function wordsOfName(name: string): string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/**
 * Whether a column's name says that it describes people: race, color, religion, sex, national origin, age, disability,
 * marital or family status, or personal income. The age of a building (`building_age`, `roof_age`), its income
 * (`rental_income`) and its color (`exterior_color`) do not. `age` and `color` alone could be either, so they count.
 */
export function isProtectedColumn(name: string): boolean {
  const words = wordsOfName(name);
  const isIncome = words.includes('income') && !words.some((word) => INCOME_OF_BUILDING.has(word));
  return isIncome || words.some((word) => WORDS.has(word)) || PHRASES.test(words.join(''));
}
