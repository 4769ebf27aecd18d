import type { CensusCell } from '../../domain/census/cell.ts';
import type { CensusTable } from '../../domain/census/census-table.ts';
import { CENSUS_LEVELS, type CensusLevel } from '../../domain/census/geoid.ts';
import {
  ALL_BEDROOMS,
  BEDROOM_LINES,
  CENSUS_RENT,
  censusBedrooms,
  RENT_TABLES,
} from './census-rent-constants.ts';

/** The best census figure for the rent of units with some number of bedrooms at a place. */
export interface CensusRent {
  readonly geoid: string;
  readonly level: CensusLevel;
  readonly tableId: string;
  /** Median gross rent per month, in dollars of the year. */
  readonly usd: number;
  /** Ln spread of single rents around the median of such an area. */
  readonly areaSpread: number;
  /** Ln standard error of the median, and of converting it to these bedrooms. */
  readonly figureError: number;
}

/** Standard errors in a 90 % margin, as in all of the Bureau's tables. */
const Z_90 = 1.645;

/**
 * The figure with the least spread, including its own error: the smallest area's unless its sample
 * is too small, by bedrooms unless only the rent of all is known. An additional area never makes a
 * value less certain.
 *
 * @param tables of the areas that contain the place, all of one year
 * @returns null without any rent
 */
export function censusRentOf(tables: readonly CensusTable[], bedrooms: number): CensusRent | null {
  const line = BEDROOM_LINES[censusBedrooms(bedrooms)];
  const ratio = ratioOf(tables, line) ?? ruleOfThumb(bedrooms);
  const candidates = tables.flatMap((table): CensusRent[] => {
    const own = table.tableId === 'B25031' ? figureOf(table, line) : null;
    const all = figureOf(table, ALL_BEDROOMS);
    return [
      ...(own ? [own] : []),
      ...(all
        ? [{ ...all, usd: all.usd * ratio.factor, figureError: Math.hypot(all.figureError, ratio.error) }]
        : []),
    ];
  });
  const spreadOf = (rent: CensusRent): number => Math.hypot(rent.areaSpread, rent.figureError);
  return candidates.reduce<CensusRent | null>(
    (best, rent) => (best === null || spreadOf(rent) < spreadOf(best) ? rent : best),
    null,
  );
}

function figureOf({ geoid, level, tableId, cells }: CensusTable, suffix: string): CensusRent | null {
  const cell = cells.get(suffix);
  if (!RENT_TABLES.some((id) => id === tableId) || !cell?.value || cell.value <= 0) return null;
  const areaSpread = CENSUS_RENT.areaSpread[level];
  return { geoid, level, tableId, usd: cell.value, areaSpread, figureError: relativeError(cell, cell.value) };
}

function relativeError({ marginOfError, bound }: CensusCell, value: number): number {
  if (bound !== null) return CENSUS_RENT.boundError;
  return marginOfError === null ? CENSUS_RENT.unknownError : marginOfError / Z_90 / value;
}

interface BedroomRatio {
  readonly factor: number;
  readonly error: number;
}

/** Rent by bedrooms over rent of all, in the largest area that has both. */
function ratioOf(tables: readonly CensusTable[], line: string): BedroomRatio | null {
  const largestFirst = tables
    .filter(({ tableId }) => tableId === 'B25031')
    .toSorted((a, b) => CENSUS_LEVELS.indexOf(a.level) - CENSUS_LEVELS.indexOf(b.level));
  for (const table of largestFirst) {
    const own = figureOf(table, line);
    const all = figureOf(table, ALL_BEDROOMS);
    if (own && all) {
      const error = Math.hypot(CENSUS_RENT.ratioError, own.figureError, all.figureError);
      return { factor: own.usd / all.usd, error };
    }
  }
  return null;
}

function ruleOfThumb(bedrooms: number): BedroomRatio {
  const beyond = censusBedrooms(bedrooms) - CENSUS_RENT.typicalBedrooms;
  return {
    factor: Math.exp(CENSUS_RENT.perBedroom * beyond),
    error: Math.hypot(CENSUS_RENT.ratioError, CENSUS_RENT.perBedroomError * beyond),
  };
}
