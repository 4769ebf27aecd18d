import { InvalidArgumentError, type Command } from 'commander';
import { presentPropertyValuation } from '../api/present/property.ts';
import { propertyRequest } from '../api/request/property-request.ts';
import { ValidationError } from '../api/request/validation-error.ts';
import { systemClock } from '../clock.ts';
import { dayOfInstant } from '../domain/day.ts';
import { PlumblineError } from '../errors.ts';
import { valueProperty } from '../operations/value-property.ts';
import { composeOperations, openGeocoder, OPERATOR, withStore } from './compose.ts';
import { printJson } from './print.ts';

interface ValueOptions {
  readonly address?: string;
  readonly latitude?: string;
  readonly longitude?: string;
  readonly date?: string;
  readonly radiusMi?: string;
  readonly lookbackMonths?: string;
  readonly numComps?: string;
  readonly field: Readonly<Record<string, string>>;
}

/** One valuation as JSON: exactly what the API's GET form answers, by the same reader, operation and presenter. */
export function registerValue(program: Command): void {
  program
    .command('value')
    .description('value one property, as JSON')
    .command('property')
    .description('the property valuation of the API, on the command line')
    .option('--address <text>', 'full street address')
    .option('--latitude <degrees>')
    .option('--longitude <degrees>')
    .option('--date <YYYY-MM-DD>', 'as-of date (default: today)')
    .option('--radius-mi <miles>', 'search radius of the listed comparables')
    .option('--lookback-months <months>', 'age of the listed comparables')
    .option('--num-comps <count>', 'how many comparables to list')
    .option(
      '--field <name=value>',
      'a property field such as total_bedrooms=3; repeat for more',
      collectField,
      {},
    )
    .action((options: ValueOptions) => value(options));
}

function collectField(text: string, fields: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as name=value, such as total_bedrooms=3.');
  return { ...fields, [text.slice(0, at)]: text.slice(at + 1) };
}

async function value(options: ValueOptions): Promise<void> {
  const query = {
    ...options.field,
    address: options.address,
    latitude: options.latitude,
    longitude: options.longitude,
    date: options.date,
    radius_mi: options.radiusMi,
    lookback_months: options.lookbackMonths,
    num_comps: options.numComps,
  };
  const given = Object.fromEntries(Object.entries(query).filter(([, text]) => text !== undefined));
  await withStore(async (store, config) => {
    const deps = composeOperations(store, openGeocoder(config, console.error));
    try {
      const answer = await valueProperty(deps, readRequest(given), OPERATOR);
      printJson(presentPropertyValuation(answer));
    } finally {
      await deps.valuationLog.close();
    }
  });
}

/** The API's errors name the member; on the command line they become one sentence each. */
function readRequest(query: Readonly<Record<string, unknown>>) {
  try {
    return propertyRequest.query(query, { today: dayOfInstant(systemClock()), isStrict: true });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const lines = error.errors.map((one) => `${one.loc.slice(1).join('.')}: ${one.msg}`);
    throw new PlumblineError('usage', `the request cannot be used.\n  ${lines.join('\n  ')}`);
  }
}
