import type { CensusLevel } from './geoid.ts';
import { countyFullName } from './us-counties.ts';

/**
 * The name of an area with its kind: "Census Tract 107.02", "Block Group 5", "King County". Used if a file
 * has only the short name ("King") or none. Tracts and block groups are named by their codes; a county or
 * town without a name has none.
 */
export function censusAreaName(level: CensusLevel, geoid: string, shortName: string | null): string | null {
  if (level === 'tract') return `Census Tract ${tractNumber(geoid)}`;
  if (level === 'block_group') return `Block Group ${geoid.slice(-1)}`;
  if (level === 'county') return shortName === null ? null : countyFullName(geoid, shortName);
  return shortName;
}

/** "…010702" → "107.02", "…353600" → "3536": the Bureau's format of tract codes. */
function tractNumber(geoid: string): string {
  const code = geoid.slice(5);
  const decimals = code.slice(4);
  return String(Number(code.slice(0, 4))) + (decimals === '00' ? '' : `.${decimals}`);
}
