import { InvalidArgumentError, type Command } from 'commander';
import { presentMultifamilyValuation } from '../api/present/multifamily.ts';
import { presentPropertyValuation } from '../api/present/property.ts';
import { presentRentalValuation } from '../api/present/rental.ts';
import { multifamilyRequest } from '../api/request/multifamily-request.ts';
import { propertyRequest } from '../api/request/property-request.ts';
import type { RequestReader } from '../api/request/read-request.ts';
import { rentalRequest } from '../api/request/rental-request.ts';
import { ValidationError } from '../api/request/validation-error.ts';
import { systemClock } from '../clock.ts';
import { dayOfInstant } from '../domain/day.ts';
import { PlumblineError } from '../errors.ts';
import type { Caller, OperationDeps } from '../operations/deps.ts';
import { valueMultifamily } from '../operations/multifamily/value-multifamily.ts';
import { valueProperty } from '../operations/property/value-property.ts';
import { valueRental } from '../operations/rental/value-rental.ts';
import { composeOperations, openGeocoder, OPERATOR, withStore } from './compose.ts';
import { printJson } from './print.ts';
import { readAssumptions } from './read-assumptions.ts';

interface ValueOptions {
  readonly address?: string;
  readonly latitude?: string;
  readonly longitude?: string;
  readonly date?: string;
  readonly radiusMi?: string;
  readonly lookbackMonths?: string;
  readonly numComps?: string;
  readonly units?: string;
  readonly field: Readonly<Record<string, string>>;
}

/** How a kind is asked for and answered: the reader, the operation and the presenter of the API's GET form. */
interface ValuedByCommand<Asked, Answer> {
  readonly reader: RequestReader<Asked>;
  readonly value: (deps: OperationDeps, asked: Asked, caller: Caller) => Promise<Answer>;
  readonly present: (answer: Answer) => unknown;
}

const PROPERTY = { reader: propertyRequest, value: valueProperty, present: presentPropertyValuation };
const MULTIFAMILY = {
  reader: multifamilyRequest,
  value: valueMultifamily,
  present: presentMultifamilyValuation,
};
const RENTAL = { reader: rentalRequest, value: valueRental, present: presentRentalValuation };

/** One valuation as JSON: exactly what the API's GET form answers, by the same reader, operation and presenter. */
export function registerValue(program: Command): void {
  const command = program
    .command('value')
    .description('value one property or building, or its rents, as JSON');
  withOptions(
    command,
    'property',
    'the property valuation of the API, on the command line',
    'total_bedrooms=3',
  ).action((options: ValueOptions) => value(PROPERTY, options));
  withOptions(
    command,
    'multifamily',
    'the multifamily valuation of the API, on the command line',
    'total_units=8',
  ).action((options: ValueOptions) => value(MULTIFAMILY, options));
  withOptions(command, 'rental', 'the rental valuation of the API, on the command line', 'bedrooms=2')
    .option('--units <json>', 'several units: a list of {"bedrooms", "bathrooms", "size", "is_furnished"}')
    .action((options: ValueOptions) => value(RENTAL, options));
}

function withOptions(command: Command, name: string, description: string, example: string): Command {
  return command
    .command(name)
    .description(description)
    .option('--address <text>', 'full street address')
    .option('--latitude <degrees>')
    .option('--longitude <degrees>')
    .option('--date <YYYY-MM-DD>', 'as-of date (default: today)')
    .option('--radius-mi <miles>', 'search radius of the listed comparables')
    .option('--lookback-months <months>', 'age of the listed comparables')
    .option('--num-comps <count>', 'how many comparables to list')
    .option('--field <name=value>', `a field such as ${example}; repeat for more`, collectField, {});
}

function collectField(text: string, fields: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as name=value, such as total_bedrooms=3.');
  return { ...fields, [text.slice(0, at)]: text.slice(at + 1) };
}

async function value<Asked, Answer>(
  kind: ValuedByCommand<Asked, Answer>,
  options: ValueOptions,
): Promise<void> {
  const query = {
    ...options.field,
    address: options.address,
    latitude: options.latitude,
    longitude: options.longitude,
    date: options.date,
    radius_mi: options.radiusMi,
    lookback_months: options.lookbackMonths,
    num_comps: options.numComps,
    units: options.units,
  };
  const given = Object.fromEntries(Object.entries(query).filter(([, text]) => text !== undefined));
  await withStore(async (store, config) => {
    const geocoder = openGeocoder(config, console.error);
    const deps = composeOperations(store, geocoder, readAssumptions(config));
    try {
      const answer = await kind.value(deps, readRequest(kind.reader, given), OPERATOR);
      printJson(kind.present(answer));
    } finally {
      await deps.valuationLog.close();
    }
  });
}

/** The API's errors name the member; on the command line they become one sentence each. */
function readRequest<Asked>(reader: RequestReader<Asked>, query: Readonly<Record<string, unknown>>): Asked {
  try {
    return reader.query(query, { today: dayOfInstant(systemClock()), isStrict: true });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const lines = error.errors.map((one) => `${one.loc.slice(1).join('.')}: ${one.msg}`);
    throw new PlumblineError('usage', `the request cannot be used.\n  ${lines.join('\n  ')}`);
  }
}
