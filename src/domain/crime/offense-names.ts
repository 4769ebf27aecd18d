import { NIBRS_OFFENSES, type Offense } from './nibrs-offenses.ts';

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
function bare(name: string): string {
  return name
    .toUpperCase()
    .replaceAll('&', 'AND')
    .replace(/[^A-Z0-9]/g, '');
}

const BY_NAME = new Map<string, Offense>();
for (const offense of NIBRS_OFFENSES) {
  for (const name of [offense.description, ...(NAMES[offense.code] ?? [])]) BY_NAME.set(bare(name), offense);
}

/** The offense for an agency's words; null if the table does not contain them. */
export function offenseOfName(name: string): Offense | null {
  return BY_NAME.get(bare(name)) ?? null;
}
