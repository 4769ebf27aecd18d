import type { PostalAddress } from '../../domain/address.ts';
import { blockAddressOf, type BlockAddress } from '../../domain/crime/block-address.ts';
import type { Persons } from '../../domain/crime/incident.ts';
import { offenseOfCode, offenseOfName, type Offense } from '../../domain/crime/nibrs-offenses.ts';
import type { Day } from '../../domain/day.ts';
import {
  localTimeAt,
  openWallClock,
  parseWrittenTime,
  type LocalTime,
  type WallClock,
} from '../../domain/local-time.ts';
import { usageError } from '../../errors.ts';
import type { CrimeOptions } from '../import-options.ts';
import { reject } from '../rejections.ts';
import { textOf } from '../rows/cell-values.ts';
import type { CellOf } from '../rows/mapping.ts';
import { EARLIEST_DAY, readAddress, readPoint } from '../rows/read-rows.ts';

/** A row of an agency's file. */
export interface IncidentRow {
  readonly agency: string;
  /** null if the agency gives none. */
  readonly referenceId: string | null;
  readonly occurred: LocalTime | null;
  readonly offenses: readonly Offense[];
  /** The agency's words for offenses that the table does not contain. */
  readonly otherOffenses: readonly string[];
  readonly block: BlockAddress;
  /** The exact address, only if nothing else can locate the incident. It is not stored. */
  readonly address: PostalAddress | null;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly persons: Persons | null;
}

/** Reads rows in our columns; times after `today` are rejected. */
export function incidentReader(options: CrimeOptions, today: Day): (cell: CellOf) => IncidentRow {
  if (options.timeZone !== null && openWallClock(options.timeZone) === null) {
    const advice = 'give an IANA name such as America/Chicago.';
    throw usageError(`--time-zone is "${options.timeZone}"; ${advice}`);
  }
  const clocks = new Map<string, WallClock | null>();
  const clockOf = (zone: string): WallClock => {
    const clock = clocks.get(zone) ?? openWallClock(zone);
    clocks.set(zone, clock);
    return clock ?? reject('unknown_time_zone', 'time_zone', zone);
  };
  return (cell) => {
    const block = readBlock(cell('address'));
    const point = readPoint(cell);
    return {
      agency: readAgency(cell, options.agency),
      referenceId: textOf(cell('incident_id'), 'incident_id') || null,
      occurred: readOccurred(cell, options.timeZone, clockOf, today),
      ...readOffenses(cell),
      block,
      address: point.lat === null ? readAddress(cell) : null,
      ...point,
      persons: options.keepPersonFields ? readPersons(cell) : null,
    };
  };
}

/** Rejects control characters without the text: the log shows rejected values, and this may be a house. */
function readBlock(text: string): BlockAddress {
  if (/\p{Cc}/u.test(text.replace(/\s/g, ' '))) reject('control_character', 'address', '(not shown)');
  return blockAddressOf(textOf(text, 'address'));
}

function readAgency(cell: CellOf, given: string | null): string {
  const agency = textOf(cell('agency'), 'agency') || given;
  if (agency) return agency;
  throw usageError(
    'The file does not say whose incidents these are. Give --agency "Springfield Police Department", or an agency column.',
  );
}

function readOccurred(
  cell: CellOf,
  givenZone: string | null,
  clockOf: (zone: string) => WallClock,
  today: Day,
): LocalTime | null {
  const text = textOf(cell('occurred_at'), 'occurred_at');
  if (text === '') return null;
  const written = parseWrittenTime(text) ?? reject('not_a_time', 'occurred_at', text);
  const zone = textOf(cell('time_zone'), 'time_zone') || givenZone;
  const { day, secondOfDay, offsetMinutes } = written;
  if (offsetMinutes === null && !zone) {
    throw usageError(
      `The time "${text}" does not say its zone. Give --time-zone America/Chicago (an IANA name), or a time_zone column.`,
    );
  }
  const occurred =
    offsetMinutes === null
      ? clockOf(zone ?? '')(written)
      : localTimeAt((day * 86_400 + secondOfDay - offsetMinutes * 60) * 1000, offsetMinutes);
  // It may be tomorrow already at the place of the incident.
  if (occurred.day > today + 1) reject('date_in_future', 'occurred_at', text);
  // No agency publishes older records: their dates are typing errors.
  if (occurred.day < EARLIEST_DAY) reject('date_before_1900', 'occurred_at', text);
  return occurred;
}

/** Codes take precedence over names. A cell may hold several, separated by semicolons. */
function readOffenses(cell: CellOf): Pick<IncidentRow, 'offenses' | 'otherOffenses'> {
  const codes = listOf(cell('offense_code'), 'offense_code');
  const names = listOf(cell('offense_name'), 'offense_name');
  if (codes.length + names.length === 0) reject('missing', 'offense_code', '');
  const byCode = codes.flatMap((code) => offenseOfCode(code) ?? []);
  const byName = byCode.length > 0 ? [] : names.flatMap((name) => offenseOfName(name) ?? []);
  return {
    offenses: [...byCode, ...byName],
    otherOffenses: (names.length > 0 ? names : codes).filter((name) => offenseOfName(name) === null),
  };
}

function listOf(text: string, field: string): string[] {
  const parts = textOf(text, field).split(';');
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function readPersons(cell: CellOf): Persons | null {
  const read = (column: string): string | null => textOf(cell(column), column) || null;
  const persons: Persons = {
    victimSex: read('victim_sex'),
    victimRace: read('victim_race'),
    victimAgeGroup: read('victim_age_group'),
    offenderSex: read('offender_sex'),
    offenderRace: read('offender_race'),
    offenderAgeGroup: read('offender_age_group'),
  };
  return Object.values(persons).some((value) => value !== null) ? persons : null;
}
