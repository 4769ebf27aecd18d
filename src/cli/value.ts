import { InvalidArgumentError, type Command } from 'commander';
import { ValidationError } from '../api/request/validation-error.ts';
import type { RequestReader } from '../api/request/read-request.ts';
import { VALUATION_READERS } from '../api/endpoints/valuations.ts';
import { systemClock } from '../clock.ts';
import { dayOfInstant } from '../domain/day.ts';
import { usageError } from '../errors.ts';
import { value } from '../operations/value.ts';
import type { ValuationKind } from '../domain/valuation-kind.ts';
import { toSnakeCase } from '../schemas/member-names.ts';
import { OPERATOR } from './compose.ts';
import { composeOperations, openGeocoder } from './compose-operations.ts';
import { withStore } from './configured-store.ts';
import { printJson } from './print.ts';
import { readAssumptions } from './read-files.ts';

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
  readonly feature: Readonly<Record<string, string>>;
}

/** Examples of a field of each kind, for the help. */
const EXAMPLES: { readonly [Kind in ValuationKind]: string } = {
  property: 'total_bedrooms=3',
  multifamily: 'total_units=8',
  rental: 'bedrooms=2',
};

/** Prints one valuation as JSON: the same response as the GET endpoint, from the same reader and operation. */
export function registerValue(program: Command): void {
  const value = program.command('value');
  for (const kind of ['property', 'multifamily', 'rental'] as const) {
    const command = value
      .command(kind)
      .description(`the ${kind} valuation of the API, on the command line`)
      .option('--address <text>', 'full street address')
      .option('--latitude <degrees>')
      .option('--longitude <degrees>')
      .option('--date <YYYY-MM-DD>', 'as-of date (default: today)')
      .option('--radius-mi <miles>', 'search radius of the listed comparables')
      .option('--lookback-months <months>', 'maximum age of the listed comparables, in months')
      .option('--num-comps <count>', 'how many comparables to list')
      .option('--field <name=value>', `a field such as ${EXAMPLES[kind]}; repeat for more`, collectField, {})
      .option('--feature <name=value>', 'a feature of the market’s own; repeat for more', collectField, {})
      .action((options: ValueOptions) => printValue(kind, options));
    if (kind === 'rental') {
      const units = 'several units: a list of {"bedrooms", "bathrooms", "size", "is_furnished"}';
      command.option('--units <json>', units);
    }
  }
}

function collectField(text: string, fields: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as name=value, such as total_bedrooms=3.');
  return { ...fields, [text.slice(0, at)]: text.slice(at + 1) };
}

async function printValue<Kind extends ValuationKind>(kind: Kind, options: ValueOptions): Promise<void> {
  const { field, feature, radiusMi, lookbackMonths, numComps, ...others } = options;
  const query = {
    ...field,
    ...(Object.keys(feature).length > 0 && { features: JSON.stringify(feature) }),
    ...others,
    radius_mi: radiusMi,
    lookback_months: lookbackMonths,
    num_comps: numComps,
  };
  const given = Object.fromEntries(Object.entries(query).filter(([, text]) => text !== undefined));
  await withStore(async (store, config) => {
    const geocoder = openGeocoder(config, console.error);
    const deps = composeOperations(store, geocoder, readAssumptions(config));
    try {
      const { response } = await value(deps, kind, readRequest(VALUATION_READERS[kind], given), OPERATOR);
      printJson(toSnakeCase(response));
    } finally {
      await deps.valuationLog.close();
    }
  });
}

/** API errors have a location and a message per field. The command line prints one sentence for each. */
function readRequest<Request>(
  reader: RequestReader<Request>,
  query: Readonly<Record<string, unknown>>,
): Request {
  try {
    return reader.query(query, { today: dayOfInstant(systemClock()), isStrict: true });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const lines = error.errors.map((one) => `${one.loc.slice(1).join('.')}: ${one.msg}`);
    throw usageError(`the request cannot be used.\n  ${lines.join('\n  ')}`);
  }
}
