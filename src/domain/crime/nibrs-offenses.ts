/**
 * The FBI's table NIBRS_OFFENSE_TYPE (public domain; cde.ucr.cjis.gov), all 86 rows. Add new offenses at the
 * end: a row's position is its number in the columns of incidents. '23*' is unspecified larceny; 90I
 * (runaway) belongs to neither group.
 */
const OFFENSES = [
  ['09A', 'Homicide Offenses', 'Murder and Nonnegligent Manslaughter', 'Person', 'A'],
  ['09B', 'Homicide Offenses', 'Negligent Manslaughter', 'Person', 'A'],
  ['09C', 'Homicide Offenses', 'Justifiable Homicide', 'Person', 'A'],
  ['100', 'Kidnapping/Abduction', 'Kidnapping/Abduction', 'Person', 'A'],
  ['101', 'Other Offenses', 'Treason', 'Society', 'A'],
  ['103', 'Other Offenses', 'Espionage', 'Society', 'A'],
  ['11A', 'Sex Offenses', 'Rape', 'Person', 'A'],
  ['11B', 'Sex Offenses', 'Sodomy', 'Person', 'A'],
  ['11C', 'Sex Offenses', 'Sexual Assault With An Object', 'Person', 'A'],
  ['11D', 'Sex Offenses', 'Criminal Sexual Contact', 'Person', 'A'],
  ['120', 'Robbery', 'Robbery', 'Property', 'A'],
  ['13A', 'Assault Offenses', 'Aggravated Assault', 'Person', 'A'],
  ['13B', 'Assault Offenses', 'Simple Assault', 'Person', 'A'],
  ['13C', 'Assault Offenses', 'Intimidation', 'Person', 'A'],
  ['200', 'Arson', 'Arson', 'Property', 'A'],
  ['210', 'Extortion/Blackmail', 'Extortion/Blackmail', 'Property', 'A'],
  ['220', 'Burglary/Breaking & Entering', 'Burglary/Breaking & Entering', 'Property', 'A'],
  ['23*', 'Larceny/Theft Offenses', 'Not Specified', 'Property', 'A'],
  ['23A', 'Larceny/Theft Offenses', 'Pocket-picking', 'Property', 'A'],
  ['23B', 'Larceny/Theft Offenses', 'Purse-snatching', 'Property', 'A'],
  ['23C', 'Larceny/Theft Offenses', 'Shoplifting', 'Property', 'A'],
  ['23D', 'Larceny/Theft Offenses', 'Theft From Building', 'Property', 'A'],
  ['23E', 'Larceny/Theft Offenses', 'Theft From Coin-Operated Machine or Device', 'Property', 'A'],
  ['23F', 'Larceny/Theft Offenses', 'Theft From Motor Vehicle', 'Property', 'A'],
  ['23G', 'Larceny/Theft Offenses', 'Theft of Motor Vehicle Parts or Accessories', 'Property', 'A'],
  ['23H', 'Larceny/Theft Offenses', 'All Other Larceny', 'Property', 'A'],
  ['240', 'Motor Vehicle Theft', 'Motor Vehicle Theft', 'Property', 'A'],
  ['250', 'Counterfeiting/Forgery', 'Counterfeiting/Forgery', 'Property', 'A'],
  ['26A', 'Fraud Offenses', 'False Pretenses/Swindle/Confidence Game', 'Property', 'A'],
  ['26B', 'Fraud Offenses', 'Credit Card/Automated Teller Machine Fraud', 'Property', 'A'],
  ['26C', 'Fraud Offenses', 'Impersonation', 'Property', 'A'],
  ['26D', 'Fraud Offenses', 'Welfare Fraud', 'Property', 'A'],
  ['26E', 'Fraud Offenses', 'Wire Fraud', 'Property', 'A'],
  ['26F', 'Fraud Offenses', 'Identity Theft', 'Property', 'A'],
  ['26G', 'Fraud Offenses', 'Hacking/Computer Invasion', 'Property', 'A'],
  ['26H', 'Other Offenses', 'Money Laundering', 'Society', 'A'],
  ['270', 'Embezzlement', 'Embezzlement', 'Property', 'A'],
  ['280', 'Stolen Property Offenses', 'Stolen Property Offenses', 'Property', 'A'],
  [
    '290',
    'Destruction/Damage/Vandalism of Property',
    'Destruction/Damage/Vandalism of Property',
    'Property',
    'A',
  ],
  ['30A', 'Other Offenses', 'Illegal Entry into the United States', 'Society', 'A'],
  ['30B', 'Other Offenses', 'False Citizenship', 'Society', 'A'],
  ['30C', 'Other Offenses', 'Smuggling Aliens', 'Society', 'A'],
  ['30D', 'Other Offenses', 'Re-entry after Deportation', 'Society', 'A'],
  ['35A', 'Drug/Narcotic Offenses', 'Drug/Narcotic Violations', 'Society', 'A'],
  ['35B', 'Drug/Narcotic Offenses', 'Drug Equipment Violations', 'Society', 'A'],
  ['360', 'Other Offenses', 'Failure to Register as a Sex Offender', 'Society', 'A'],
  ['36A', 'Sex Offenses, Non-forcible', 'Incest', 'Person', 'A'],
  ['36B', 'Sex Offenses, Non-forcible', 'Statutory Rape', 'Person', 'A'],
  ['370', 'Pornography/Obscene Material', 'Pornography/Obscene Material', 'Society', 'A'],
  ['39A', 'Gambling Offenses', 'Betting/Wagering', 'Society', 'A'],
  ['39B', 'Gambling Offenses', 'Operating/Promoting/Assisting Gambling', 'Society', 'A'],
  ['39C', 'Gambling Offenses', 'Gambling Equipment Violation', 'Society', 'A'],
  ['39D', 'Gambling Offenses', 'Sports Tampering', 'Society', 'A'],
  ['40A', 'Prostitution Offenses', 'Prostitution', 'Society', 'A'],
  ['40B', 'Prostitution Offenses', 'Assisting or Promoting Prostitution', 'Society', 'A'],
  ['40C', 'Prostitution Offenses', 'Purchasing Prostitution', 'Society', 'A'],
  ['49A', 'Other Offenses', 'Harboring Escapee/Concealing from Arrest', 'Society', 'A'],
  ['49B', 'Other Offenses', 'Flight to Avoid Prosecution', 'Society', 'A'],
  ['49C', 'Other Offenses', 'Flight to Avoid Deportation', 'Society', 'A'],
  ['510', 'Bribery', 'Bribery', 'Property', 'A'],
  ['520', 'Weapon Law Violations', 'Weapon Law Violations', 'Society', 'A'],
  ['521', 'Other Offenses', 'Violation of National Firearm Act of 1934', 'Society', 'A'],
  ['522', 'Other Offenses', 'Weapons of Mass Destruction', 'Society', 'A'],
  ['526', 'Other Offenses', 'Explosives Violation', 'Society', 'A'],
  ['58A', 'Other Offenses', 'Import Violations', 'Society', 'A'],
  ['58B', 'Other Offenses', 'Export Violations', 'Society', 'A'],
  ['61A', 'Other Offenses', 'Federal Liquor Offenses', 'Society', 'A'],
  ['61B', 'Other Offenses', 'Federal Tobacco Offenses', 'Society', 'A'],
  ['620', 'Other Offenses', 'Wildlife Trafficking', 'Society', 'A'],
  ['64A', 'Human Trafficking', 'Human Trafficking, Commercial Sex Acts', 'Person', 'A'],
  ['64B', 'Human Trafficking', 'Human Trafficking, Involuntary Servitude', 'Person', 'A'],
  ['720', 'Animal Cruelty', 'Animal Cruelty', 'Society', 'A'],
  ['90A', 'Bad Checks', 'Bad Checks', 'Property', 'B'],
  ['90B', 'Curfew/Loitering/Vagrancy Violations', 'Curfew/Loitering/Vagrancy Violations', 'Society', 'B'],
  ['90C', 'Disorderly Conduct', 'Disorderly Conduct', 'Society', 'B'],
  ['90D', 'Driving Under the Influence', 'Driving Under the Influence', 'Society', 'B'],
  ['90E', 'Drunkenness', 'Drunkenness', 'Society', 'B'],
  ['90F', 'Family Offenses, Nonviolent', 'Family Offenses, Nonviolent', 'Person', 'B'],
  ['90G', 'Liquor Law Violations', 'Liquor Law Violations', 'Society', 'B'],
  ['90H', 'Peeping Tom', 'Peeping Tom', 'Person', 'B'],
  ['90I', 'Other Offenses', 'Runaway', 'Not a Crime', null],
  ['90J', 'Trespass of Real Property', 'Trespass of Real Property', 'Society', 'B'],
  ['90K', 'Other Offenses', 'Failure to Appear', 'Society', 'B'],
  ['90L', 'Other Offenses', 'Federal Resource Violations', 'Society', 'B'],
  ['90M', 'Other Offenses', 'Perjury', 'Society', 'B'],
  ['90Z', 'All Other Offenses', 'All Other Offenses', 'Society', 'B'],
] as const satisfies readonly (readonly [
  code: string,
  category: string,
  description: string,
  crimeAgainst: CrimeAgainst,
  group: 'A' | 'B' | null,
])[];

export type CrimeAgainst = 'Person' | 'Property' | 'Society' | 'Not a Crime';

/** Most severe first. */
export const SEVERITIES = ['Severe', 'High', 'Moderate', 'Low', 'Minor'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The summary classes of the FBI's yearly tables: a few index offenses, and all others. */
export type CrimeType = 'Violent Crime' | 'Property Crime' | 'Other';

export interface Offense {
  /** Its number in the columns of incidents. */
  readonly no: number;
  /** Text, because `09A` starts with a zero. */
  readonly code: string;
  readonly category: string;
  readonly description: string;
  readonly crimeAgainst: CrimeAgainst;
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

export const NIBRS_OFFENSES: readonly Offense[] = OFFENSES.map(
  ([code, category, description, crimeAgainst, group], no) => ({
    no,
    code,
    category,
    description,
    crimeAgainst,
    group,
    type: VIOLENT.includes(code) ? 'Violent Crime' : PROPERTY.includes(code) ? 'Property Crime' : 'Other',
    severity: severityOf(code, group),
  }),
);

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

/**
 * The most severe of an incident's offenses: by severity, then crimes against persons before property before
 * society, then the order of the table.
 */
export function mostSevere(offenses: readonly Offense[]): Offense | null {
  let worst: Offense | null = null;
  for (const offense of offenses) if (worst === null || rankOf(offense) < rankOf(worst)) worst = offense;
  return worst;
}

const AGAINST: readonly CrimeAgainst[] = ['Person', 'Property', 'Society', 'Not a Crime'];

function rankOf({ severity, crimeAgainst, no }: Offense): number {
  const severityRank = severity === null ? SEVERITIES.length : SEVERITIES.indexOf(severity);
  return (severityRank * AGAINST.length + AGAINST.indexOf(crimeAgainst)) * OFFENSES.length + no;
}

const bareName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const CATEGORY_OF = new Map(OFFENSE_CATEGORIES.map((category) => [bareName(category), category]));

/** Ignores case and punctuation: `sex_offenses_non_forcible` is `Sex Offenses, Non-forcible`. */
export function categoryOfName(name: string): string | null {
  return CATEGORY_OF.get(bareName(name)) ?? null;
}
