import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordAnswer } from './answer-log.ts';
import type { Checkout } from './checkout.ts';
import { BACKTEST_STEPS, importSteps, TRAINING_STEPS, type LoadStep } from './load-steps.ts';
import type { Json } from './normalize.ts';

/** Imports, trains and backtests; records what each command prints and the rows that imports reject. */
export async function recordLoading(
  checkout: Checkout,
  record: RecordAnswer,
  backtests: readonly LoadStep[] = BACKTEST_STEPS,
): Promise<void> {
  const mapping = (name: string): string => checkout.pathOf(`docs/operations/mappings/${name}`);
  const steps: LoadStep[] = [...importSteps(mapping), ...TRAINING_STEPS, ...backtests];
  const counts = new Map<string, number>();
  for (const { name, args } of steps) {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const before = new Set(rejectedFiles(checkout));
    const unique = count === 1 ? name : `${name} (${count})`;
    await recordCommand(checkout, record, unique, args);
    const rejected = rejectedFiles(checkout).filter((file) => !before.has(file));
    for (const file of rejected) {
      const body = readFileSync(join(checkout.dataDir, 'reports', file), 'utf8')
        .trimEnd()
        .split('\n');
      record({ name: `${unique}, rejected rows`, status: 0, headers: {}, body });
    }
    console.error(`${new Date().toISOString().slice(11, 19)} ${unique}`);
  }
}

function rejectedFiles({ dataDir }: Checkout): string[] {
  return globSync('*.csv', { cwd: join(dataDir, 'reports') }).sort();
}

async function recordCommand(
  checkout: Checkout,
  record: RecordAnswer,
  name: string,
  args: readonly string[],
  input = '',
): Promise<Json> {
  const { exitCode, output } = await checkout.run(args, input);
  const body = parsed(output);
  record({ name: `command ${name}`, status: exitCode, headers: {}, body });
  return body;
}

/** Output that is not JSON is a table or a sentence for people. */
function parsed(output: string): Json {
  try {
    return JSON.parse(output) as Json;
  } catch {
    return output === '' ? '' : '<prose>';
  }
}

/** Commands that print what the service also answers, and those of an operator. */
export async function recordOperatorCommands(checkout: Checkout, record: RecordAnswer): Promise<void> {
  const run = (name: string, ...args: string[]): Promise<Json> => recordCommand(checkout, record, name, args);
  await run('markets', 'markets', '--json');
  await run('accounts create', 'accounts', 'create', 'county', '--plan', 'free', '--json');
  await run('accounts create again', 'accounts', 'create', 'county', '--plan', 'free', '--json');
  await run('accounts set-plan', 'accounts', 'set-plan', 'county', 'standard');
  await run('accounts list', 'accounts', 'list', '--json');
  await run('accounts check', 'accounts', 'check', '--json');
  await run('keys list', 'keys', 'list', '--json');
  await run('keys revoke unknown', 'keys', 'revoke', 'zzzzzzzz');
  await run('users list', 'users', 'list', '--json');
  await run('audit', 'audit', '--limit', '20', '--json');
  await run('usage', 'usage', '--json');
  await run('jobs list', 'jobs', 'list', '--json');
  await run('webhooks rotate', 'webhooks', 'rotate');
  await run('unknown', 'nothing');
  const point = [
    '--latitude',
    '41.997341',
    '--longitude',
    '-101.616480',
    '--date',
    '2026-11-20',
    '--num-comps',
    '2',
  ];
  const field = (name: string, value: number): string[] => ['--field', `${name}=${value}`];
  await run(
    'value property',
    'value',
    'property',
    ...point,
    ...field('total_bedrooms', 3),
    ...field('total_bathrooms', 2),
  );
  await run('value property without fields', 'value', 'property', ...point);
  await run('value rental', 'value', 'rental', ...point, ...field('bedrooms', 2), ...field('bathrooms', 1));
  await run(
    'value multifamily',
    'value',
    'multifamily',
    ...point,
    ...field('total_units', 6),
    ...field('bedrooms', 8),
    ...field('bathrooms', 6),
  );
  await run('accuracy', 'accuracy', '--values', 'values.csv', '--json');
}

const POINT = { latitude: 41.997341, longitude: -101.61648 };
/** Calls of tools by a model. Fields that a tool does not know are rejected by it, which is recorded too. */
const TOOL_CALLS: readonly [tool: string, input: object][] = [
  ['coverage', {}],
  ['value_home', { location: POINT, property_fields: { total_bedrooms: 3, total_bathrooms: 2 } }],
  ['value_rent', { location: POINT, property_fields: { units: [{ bedrooms: 2, bathrooms: 1 }] } }],
  ['value_building', { location: POINT, property_fields: { total_units: 6, bedrooms: 8, bathrooms: 6 } }],
  ['find_comparables', { location: POINT, property_fields: { total_bedrooms: 3, total_bathrooms: 2 } }],
  ['describe_place', { location: POINT }],
  ['nothing', {}],
];

/** The MCP server's list of tools, without prose, and what some of them return. */
export async function recordTools(checkout: Checkout, record: RecordAnswer): Promise<void> {
  const message = (id: number, method: string, params: object): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const initialize = message(0, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'recording', version: '1' },
  });
  const initialized = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`;
  const list = message(1, 'tools/list', {});
  const calls = TOOL_CALLS.map(([name, input], i) =>
    message(2 + i, 'tools/call', { name, arguments: input }),
  );
  const { output } = await checkout.run(['mcp'], [initialize, initialized, list, ...calls].join(''));
  const answers = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result?: Json; error?: Json });
  for (const { id, result, error } of answers) {
    if (id === 0) continue;
    const name = id === 1 ? 'tools' : `tool ${TOOL_CALLS[id - 2][0]}`;
    record({ name: `mcp ${name}`, status: null, headers: {}, body: result ?? error ?? null });
  }
}
