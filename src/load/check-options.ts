import { formatDay, parseDay, type Day } from '../domain/day.ts';
import { isMarketId, MARKET_ID_RULE } from '../domain/market-id.ts';
import { isProtectedColumn } from '../domain/protected-columns.ts';
import { usageError } from '../errors.ts';
import { CHECKS, ROW_CHECKS } from './checks/finding.ts';
import type { ImportOptions } from './import-options.ts';

/** @throws PlumblineError `usage` for options that contradict each other or have no meaning */
export function checkOptions(options: ImportOptions, today: Day): void {
  const { marketId, files, format, mapping, maxRejects, asOfDate, retrievedAt } = options;
  const { accept = [], leaveOut = [] } = options;
  rejectUnknownChecks('--accept', accept, CHECKS);
  rejectUnknownChecks('--leave-out', leaveOut, ROW_CHECKS);
  if (!isMarketId(marketId)) throw usageError(`"${marketId}" is not a market id. ${MARKET_ID_RULE}`);
  if (files.length === 0) throw usageError('Name at least one file to import.');
  if (format && mapping)
    throw usageError('Give --format or --mapping, not both: a format has its own mapping.');
  const named = options.features === 'all' ? [] : (options.features ?? []);
  const people = named.filter(isProtectedColumn);
  if (people.length > 0) {
    throw usageError(
      `${people.join(', ')} cannot be a feature: the name says that it describes people (race, color, religion, sex, ` +
        'national origin, age, disability, marital or family status, or income), and values must not depend on that. ' +
        'If it describes the building, rename it, such as to building_age or exterior_color.',
    );
  }
  if (asOfDate != null && asOfDate > today) {
    throw usageError(`--as-of-date ${formatDay(asOfDate)} is in the future; parcels describe the present.`);
  }
  if (retrievedAt && parseDay(retrievedAt) === null) {
    throw usageError(`--retrieved-at is "${retrievedAt}"; write the day as YYYY-MM-DD.`);
  }
  if (maxRejects !== undefined && !(maxRejects >= 0 && maxRejects <= 1)) {
    throw usageError(`--max-rejects is a share from 0 to 1, such as 0.05; it is ${maxRejects}.`);
  }
}

function rejectUnknownChecks(option: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw usageError(`${option} "${unknown}" is not a check. There is ${known.join(', ')}.`);
}
