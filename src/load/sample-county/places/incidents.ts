import { formatDay, yearMonthOf, type Day } from '../../../domain/day.ts';
import type { Random } from '../../../valuation/random.ts';
import { chance, pickByShare, streamOf, wholeBetween } from '../dice.ts';
import type { SampleCounty } from '../sample-county.ts';
import { lotsOf, type Lot } from '../town/lots.ts';
import { distanceFt, toLatLon } from '../town/terrain.ts';
import { NEIGHBOURHOODS, PLACE } from '../town/town-plan.ts';
import { DAYS_PER_YEAR } from '../true-value.ts';
import type { ImportRow } from '../write-sample-county.ts';

/** One side or both of a street within a hundred of numbers: as near as an incident is told. */
interface HundredBlock {
  readonly text: string;
  readonly lat: number;
  readonly lon: number;
  readonly postalCode: string;
  /** How much happens there. */
  readonly weight: number;
}

const YEARS = 3;
const INCIDENTS_A_YEAR = 1350;
/** Reports are out two days after they are written. */
const PUBLISHED_AFTER_DAYS = 2;
const AGENCY = `${PLACE.city} Police Department (generated)`;
/** Where the town lies, clocks show mountain time. */
const TIME_ZONE = 'America/Denver';

/** Shares of offences by NIBRS code, about those of a small town; the last takes what is left. */
const OFFENCE_SHARES: readonly (readonly [string, number])[] = [
  ['23H', 0.15],
  ['23F', 0.13],
  ['290', 0.14],
  ['13B', 0.13],
  ['35A', 0.07],
  ['220', 0.06],
  ['240', 0.05],
  ['23C', 0.06],
  ['90J', 0.04],
  ['90D', 0.03],
  ['90C', 0.03],
  ['26A', 0.03],
  ['13C', 0.025],
  ['13A', 0.02],
  ['520', 0.01],
  ['120', 0.008],
  ['11A', 0.003],
  ['200', 0.002],
  ['09A', 0.0005],
  ['90Z', 1],
];
/** Some incidents have a second offence. */
const SECOND_OFFENCE_SHARE = 0.05;

/** What the police of the town recorded in the three years up to the day: each day is drawn alone, and stays as it was. */
export function* incidentRows(county: SampleCounty): Generator<ImportRow> {
  const pick = blockPicker(hundredBlocksOf(lotsOf(county.seed, county.blocks)));
  const last = county.asOf - PUBLISHED_AFTER_DAYS;
  for (let day = Math.ceil(county.asOf - YEARS * DAYS_PER_YEAR); day <= last; day++) {
    const random = streamOf(county.seed, `incidents ${day}`);
    const count = poisson(random, (INCIDENTS_A_YEAR / DAYS_PER_YEAR) * season(day));
    for (let number = 1; number <= count; number++) yield incidentRow(random, day, number, pick(random));
  }
}

function incidentRow(random: Random, day: Day, number: number, block: HundredBlock): ImportRow {
  const codes = [pickByShare(random, OFFENCE_SHARES)];
  if (chance(random, SECOND_OFFENCE_SHARE)) codes.push('35A');
  const two = (n: number): string => String(n).padStart(2, '0');
  // More happens from noon to midnight than from midnight to noon.
  const hour = chance(random, 0.68) ? wholeBetween(random, 12, 23) : wholeBetween(random, 0, 11);
  const date = formatDay(day);
  return {
    incident_id: `PF${date.replaceAll('-', '')}-${two(number)}`,
    occurred_at: `${date} ${two(hour)}:${two(wholeBetween(random, 0, 59))}:00`,
    time_zone: TIME_ZONE,
    offense_code: [...new Set(codes)].join(';'),
    address: block.text,
    city: PLACE.city,
    state_code: PLACE.stateCode,
    postal_code: block.postalCode,
    latitude: block.lat.toFixed(6),
    longitude: block.lon.toFixed(6),
    agency: AGENCY,
  };
}

/** Summers are livelier by a quarter. */
function season(day: Day): number {
  const { month } = yearMonthOf(day);
  return 1 + 0.25 * Math.cos((2 * Math.PI * (month - 7)) / 12);
}

/** Knuth's way: how many draws in a row multiply to less than e^−mean. */
function poisson(random: Random, mean: number): number {
  const least = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > least; product *= random()) count++;
  return count;
}

function hundredBlocksOf(lots: readonly Lot[]): HundredBlock[] {
  const blocks = Map.groupBy(
    lots,
    ({ houseNumber, streetName }) =>
      `${Math.floor(houseNumber / 100) * 100} BLOCK ${streetName.toUpperCase()}`,
  );
  return [...blocks].map(([text, ofBlock]) => {
    const mean = (of: (lot: Lot) => number): number =>
      ofBlock.reduce((sum, lot) => sum + of(lot), 0) / ofBlock.length;
    const point = { x: mean((lot) => lot.point.x), y: mean((lot) => lot.point.y) };
    const { postalCode } = NEIGHBOURHOODS[ofBlock[0].block.hood];
    return { text, ...toLatLon(point), postalCode, weight: livelinessOf(point, ofBlock.length) };
  });
}

/** Most happens downtown and by the rail yard, the rest where many live. */
function livelinessOf(point: { x: number; y: number }, lots: number): number {
  const [downtown, yard] = [
    { x: 0, y: 0 },
    { x: 700, y: -1950 },
  ].map((place) => Math.exp(-distanceFt(point, place) / 900));
  return 0.02 * lots + 6 * downtown + 1.5 * yard;
}

function blockPicker(blocks: readonly HundredBlock[]): (random: Random) => HundredBlock {
  const total = blocks.reduce((sum, { weight }) => sum + weight, 0);
  const shares = blocks.map((block) => [block, block.weight / total] as const);
  return (random) => pickByShare(random, shares);
}
