import table from './nibrs-offenses.json' with { type: 'json' };

/** Most severe first. */
export const SEVERITIES = ['Severe', 'High', 'Moderate', 'Low', 'Minor'] as const;
type Severity = (typeof SEVERITIES)[number];

const AGAINST = ['Person', 'Property', 'Society', 'Not a Crime'] as const;

/** The summary classes of the FBI's yearly tables: a few index offenses, and all others. */
type CrimeType = 'Violent Crime' | 'Property Crime' | 'Other';

export interface Offense {
  /** Its number in the columns of incidents. */
  readonly no: number;
  /** Text, because `09A` starts with a zero. */
  readonly code: string;
  readonly category: string;
  readonly description: string;
  readonly crimeAgainst: (typeof AGAINST)[number];
  readonly group: 'A' | 'B' | null;
  readonly type: CrimeType;
  /** null if it is not a crime with a severity: justifiable homicide (09C) and runaways (90I). */
  readonly severity: Severity | null;
}

/** By code (docs/methods/crime.md). Other offenses of group A are Low, other offenses of group B Minor. */
const SEVERITY_OF: Readonly<Record<Severity, string>> = {
  Severe: '09A 09B 11A 11B 11C 100 64A 64B',
  High: '120 13A 200 11D 36A 36B 522 526',
  Moderate: '220 240 13B 520 521 210 35A',
  Low: '90D 90F 90H',
  Minor: '23C 23E 23G 35B',
};
const NOT_WEIGHED = ['09C', '90I'];

/** As in "Crime in the United States": violent and property crime. */
const VIOLENT = ['09A', '11A', '11B', '11C', '120', '13A'];
const PROPERTY = ['200', '220', '240', '23A', '23B', '23C', '23D', '23E', '23F', '23G', '23H', '23*'];

/**
 * The FBI's table NIBRS_OFFENSE_TYPE (public domain; cde.ucr.cjis.gov), all 86 rows. Add new offenses at the
 * end: a row's position is its number in the columns of incidents. '23*' is unspecified larceny; 90I
 * (runaway) belongs to neither group.
 */
export const NIBRS_OFFENSES = table.map(([code, category, description, against, letter], no): Offense => {
  const crimeAgainst = AGAINST.find((known) => known === against);
  if (!crimeAgainst) throw new Error(`nibrs-offenses.json: ${code} is against "${against}"`);
  const group = letter === 'A' || letter === 'B' ? letter : null;
  const isViolent = VIOLENT.includes(code);
  const type = isViolent ? 'Violent Crime' : PROPERTY.includes(code) ? 'Property Crime' : 'Other';
  return { no, code, category, description, crimeAgainst, group, type, severity: severityOf(code, group) };
});

function severityOf(code: string, group: Offense['group']): Severity | null {
  if (NOT_WEIGHED.includes(code)) return null;
  const listed = SEVERITIES.find((severity) => SEVERITY_OF[severity].split(' ').includes(code));
  return listed ?? (group === 'A' ? 'Low' : 'Minor');
}

const BY_CODE = new Map(NIBRS_OFFENSES.map((offense) => [offense.code, offense]));

/** The offense with a code, also if a spreadsheet changed 09A to 9A; null if the table has no such code. */
export function offenseOfCode(text: string): Offense | null {
  const code = text.trim().toUpperCase();
  return BY_CODE.get(code) ?? BY_CODE.get(code.padStart(3, '0')) ?? null;
}

export const OFFENSE_CATEGORIES: readonly string[] = [
  ...new Set(NIBRS_OFFENSES.map(({ category }) => category)),
].sort();

/** The most severe offense: by severity, then against persons, property, society, then by number. */
export function mostSevere(offenses: readonly Offense[]): Offense | null {
  let worst: Offense | null = null;
  for (const offense of offenses) if (worst === null || rankOf(offense) < rankOf(worst)) worst = offense;
  return worst;
}

function rankOf({ severity, crimeAgainst, no }: Offense): number {
  const severityRank = severity === null ? SEVERITIES.length : SEVERITIES.indexOf(severity);
  return (severityRank * AGAINST.length + AGAINST.indexOf(crimeAgainst)) * table.length + no;
}

const bareName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const CATEGORY_OF = new Map(OFFENSE_CATEGORIES.map((category) => [bareName(category), category]));

/** Ignores case and punctuation: `sex_offenses_non_forcible` is `Sex Offenses, Non-forcible`. */
export function categoryOfName(name: string): string | null {
  return CATEGORY_OF.get(bareName(name)) ?? null;
}

/**
 * Names that agencies use instead of a code: the offenses in Milwaukee's WIBR files, and terms of the Summary
 * Reporting System that preceded NIBRS. Judgment calls: HOMICIDE is murder (09A); FORCIBLE FONDLING, renamed
 * in 2021, is criminal sexual contact (11D).
 */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  '09A': ['HOMICIDE', 'MURDER', 'MURDER/NONNEGLIGENT MANSLAUGHTER', 'CRIMINAL HOMICIDE'],
  '09B': ['MANSLAUGHTER BY NEGLIGENCE'],
  '100': ['KIDNAPING', 'KIDNAPPING', 'ABDUCTION'],
  '11A': ['FORCIBLE RAPE', 'SEX OFFENSES FORCIBLE RAPE'],
  '11B': ['FORCIBLE SODOMY'],
  '11D': ['FORCIBLE FONDLING', 'FONDLING'],
  '13A': ['ASSAULT AGGRAVATED', 'AGG ASSAULT'],
  '13B': ['ASSAULT SIMPLE'],
  '220': ['BURGLARY', 'BURGLARY/BREAKING AND ENTERING', 'BREAKING AND ENTERING'],
  '23A': ['POCKET PICKING'],
  '23B': ['PURSE SNATCHING'],
  '23E': ['THEFT FROM COIN-OPPERATED MACHINES', 'THEFT FROM COIN-OPERATED MACHINES'],
  '23G': ['THEFT OF MOTOR VEHICLE PARTS/ACCESSORIES'],
  '23H': ['LARCENY ALL OTHER'],
  '23*': ['LARCENY', 'THEFT', 'LARCENY/THEFT', 'LARCENY-THEFT'],
  '240': ['AUTO THEFT', 'VEHICLE THEFT', 'STOLEN VEHICLE'],
  '26B': ['CREDIT CARD/ATM FRAUD'],
  '290': ['VANDALISM', 'CRIMINAL DAMAGE', 'DAMAGE TO PROPERTY', 'DESTRUCTION OF PROPERTY'],
  '35A': ['DRUG VIOLATION', 'DRUG VIOLATIONS', 'DRUG OFFENSES'],
  '520': ['WEAPONS VIOLATION', 'WEAPONS OFFENSES', 'WEAPON LAW VIOLATION'],
  '90D': ['DUI', 'DWI', 'OWI'],
  '90J': ['TRESPASSING', 'TRESPASS'],
  '90Z': ['OTHER OFFENSES'],
};

/** Names are compared by their letters and digits, with & as AND. */
function bareWords(name: string): string {
  return name
    .toUpperCase()
    .replaceAll('&', 'AND')
    .replace(/[^A-Z0-9]/g, '');
}

const BY_NAME = new Map<string, Offense>();
for (const offense of NIBRS_OFFENSES) {
  for (const name of [offense.description, ...(NAMES[offense.code] ?? [])])
    BY_NAME.set(bareWords(name), offense);
}

/** The offense for an agency's words; null if the table does not contain them. */
export function offenseOfName(name: string): Offense | null {
  return BY_NAME.get(bareWords(name)) ?? null;
}
