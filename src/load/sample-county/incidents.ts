import { formatDay, yearMonthOf } from '../../domain/day.ts';
import type { Random } from '../../valuation/random.ts';
import type { SampleCounty } from './generate-sample-county.ts';
import type { Lot } from './lots.ts';
import { NEIGHBORHOODS, PLACE } from './plan.ts';
import { chance, pickByShare, streamOf, wholeBetween, DAYS_PER_YEAR } from './random-draws.ts';
import { distanceFt, toLatLon } from './terrain.ts';
import type { SampleRow } from './write-homes.ts';

const YEARS = 3;
const INCIDENTS_A_YEAR = 1350;
/** Reports are published two days after they are written. */
const PUBLISHED_AFTER_DAYS = 2;

/** Shares of offenses by NIBRS code, similar to a small town. The last takes the rest. */
// prettier-ignore
const OFFENSE_SHARES = [
  ['23H', 0.15], ['23F', 0.13], ['290', 0.14], ['13B', 0.13], ['35A', 0.07], ['220', 0.06], ['240', 0.05],
  ['23C', 0.06], ['90J', 0.04], ['90D', 0.03], ['90C', 0.03], ['26A', 0.03], ['13C', 0.025], ['13A', 0.02],
  ['520', 0.01], ['120', 0.008], ['11A', 0.003], ['200', 0.002], ['09A', 0.0005], ['90Z', 1],
] as const;

/** The police reports of the three years before the as-of date. Each day is drawn alone, so a later date keeps it. */
export function* incidentRows({ seed, asOf, lots }: SampleCounty): Generator<SampleRow> {
  const blocks = hundredBlocksOf(lots);
  for (let day = Math.ceil(asOf - YEARS * DAYS_PER_YEAR); day <= asOf - PUBLISHED_AFTER_DAYS; day++) {
    const random = streamOf(seed, `incidents ${day}`);
    // Summers have a quarter more.
    const season = 1 + 0.25 * Math.cos((2 * Math.PI * (yearMonthOf(day).month - 7)) / 12);
    const count = poisson(random, (INCIDENTS_A_YEAR / DAYS_PER_YEAR) * season);
    for (let number = 1; number <= count; number++) {
      yield incidentRow(random, formatDay(day), number, pickByShare(random, blocks));
    }
  }
}

function incidentRow(random: Random, date: string, number: number, lot: Lot): SampleRow {
  const { lat, lon } = toLatLon(lot.point);
  const code = pickByShare(random, OFFENSE_SHARES);
  const hasSecond = code !== '35A' && chance(random, 0.05);
  const two = (n: number): string => String(n).padStart(2, '0');
  // More happens from noon to midnight than from midnight to noon.
  const hour = chance(random, 0.68) ? wholeBetween(random, 12, 23) : wholeBetween(random, 0, 11);
  return {
    incident_id: `PF${date.replaceAll('-', '')}-${two(number)}`,
    occurred_at: `${date} ${two(hour)}:${two(wholeBetween(random, 0, 59))}:00`,
    time_zone: 'America/Denver',
    offense_code: hasSecond ? `${code};35A` : code,
    address: hundredBlock(lot),
    city: PLACE.city,
    state_code: PLACE.stateCode,
    postal_code: NEIGHBORHOODS[lot.block.hood].postalCode,
    latitude: lat.toFixed(6),
    longitude: lon.toFixed(6),
    agency: `${PLACE.city} Police Department (generated)`,
  };
}

/** Knuth's method: how many draws in a row multiply to less than e^−mean. */
function poisson(random: Random, mean: number): number {
  const least = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > least; product *= random()) count++;
  return count;
}

/**
 * A lot in the middle of every hundred block, with the block's share of incidents: most happens downtown, the rest where
 * many people live.
 */
function hundredBlocksOf(lots: readonly Lot[]): (readonly [Lot, number])[] {
  const blocks = Map.groupBy(lots, (lot) => hundredBlock(lot));
  const weighted = [...blocks.values()].map((ofBlock) => {
    const middle = ofBlock[ofBlock.length >> 1];
    const downtown = Math.exp(-distanceFt(middle.point, { x: 0, y: 0 }) / 900);
    return [middle, 0.02 * ofBlock.length + 6 * downtown] as const;
  });
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  return weighted.map(([lot, weight]) => [lot, weight / total] as const);
}

/** Incidents are published by hundred block, never by house. */
const hundredBlock = ({ houseNumber, streetName }: Lot): string =>
  `${Math.floor(houseNumber / 100)}00 BLOCK ${streetName.toUpperCase()}`;
