import { InvalidArgumentError, Option } from 'commander';
import { parseDay, type Day } from '../domain/day.ts';
import { isMarketId, MARKET_ID_RULE } from '../domain/market-id.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';

/** Every command that prints a result has this option (commands.ts). */
export interface JsonOption {
  readonly json?: boolean;
}

export const ACCOUNT_OPTION = ['--account <id>', 'the account', DEFAULT_ACCOUNT_ID] as const;

export interface AccountOption extends JsonOption {
  readonly account: string;
}

export const MARKET_OPTION = [
  '--market <id>',
  'the market, such as wi-milwaukee',
  (text: string): string => {
    if (isMarketId(text)) return text;
    throw new InvalidArgumentError(MARKET_ID_RULE);
  },
] as const;

/** An option that takes one of these values. Other values are rejected with the list. */
export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices);
}

export function dayArgument(text: string): Day {
  const day = parseDay(text);
  if (day !== null) return day;
  throw new InvalidArgumentError('Write an existing date as YYYY-MM-DD.');
}

/** Parses a whole number within bounds. */
export function wholeArgument(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** Parses a list that repeats the option or separates its entries by commas. */
export function listArgument(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...text.split(',').filter((entry) => entry !== '')];
}
