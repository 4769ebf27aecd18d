import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
/** Made by a program, not for reading. */
const GENERATED = 'client/src/generated/';
const files = globSync(
  ['{src,test,bench}/**/*.ts', 'web/src/**/*.{ts,tsx}', 'web/*.ts', 'client/{generate,src}/**/*.ts'],
  { cwd: root },
)
  .filter((file) => !file.startsWith(GENERATED))
  .sort();
const sources = files.filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'));
const textOf = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** A → B: code in room A may import room B, and what B may. Rooms are folders of src/ and the files beside them. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  errors: [],
  clock: [],
  'array-archive': ['domain'],
  geo: ['domain', 'errors', 'array-archive'],
  valuation: ['geo'],
  config: ['domain', 'errors'],
  log: ['config'],
  metrics: [],
  polling: ['log'],
  threads: ['errors'],
  tables: ['errors'],
  store: ['geo', 'clock', 'log', 'metrics', 'threads'],
  egress: ['config', 'log'],
  locate: ['store', 'egress'],
  places: ['store', 'egress'],
  accounts: ['store', 'egress'],
  schemas: ['locate'],
  operations: ['schemas', 'places', 'valuation'],
  load: ['store', 'tables', 'valuation', 'egress'],
  webhooks: ['accounts', 'schemas', 'polling'],
  jobs: ['operations', 'accounts', 'webhooks'],
  api: ['jobs', 'tables'],
  mcp: ['api'],
  cli: ['mcp', 'load'],
  main: ['cli'],
};

/** No files, no network, no clock, hardly a package: the same answer for the same arguments, for ever. */
const PURE_ROOMS = ['domain', 'array-archive', 'geo', 'valuation'];
const NODE_MODULES_IN_PURE_ROOMS = ['node:crypto'];
/** Plain arithmetic on arrays, without effects: an index of boxes, and which side of a line a point lies on, exactly. */
const PURE_PACKAGES = ['flatbush', 'proj4', 'robust-predicates'];

function roomOf(file: string): string {
  return file.split('/')[1].replace(/\.ts$/, '');
}

function importsOf(file: string, { withTypes = true } = {}): string[] {
  const found = (textOf.get(file) ?? '').matchAll(
    /^(?:import|export)\s(type\s)?[^;]*?from '([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...found]
    .filter(([, isType]) => withTypes || isType === undefined)
    .map(([, , target, dynamicTarget]) => target ?? dynamicTarget);
}

function importedFiles(file: string, options: { withTypes?: boolean } = {}): string[] {
  return importsOf(file, options)
    .filter((target) => target.startsWith('.'))
    .map((target) => normalize(join(dirname(file), target)));
}

function reachableRooms(room: string, into = new Set<string>()): Set<string> {
  if (into.has(room)) return into;
  into.add(room);
  for (const next of MAY_IMPORT[room] ?? []) reachableRooms(next, into);
  return into;
}

/** Fails with one line per offence. */
function assertNone(offences: readonly string[], rule: string): void {
  assert.equal(offences.length, 0, `${rule}\n  ${offences.join('\n  ')}`);
}

/** Lines of code, comments emptied, that match; as `file:line  text`. */
function matches(inFiles: readonly string[], pattern: RegExp): string[] {
  return inFiles.flatMap((file) => {
    const code = (textOf.get(file) ?? '').replace(/\/\*[\s\S]*?\*\//g, (comment) =>
      comment.replace(/[^\n]/g, ''),
    );
    return code.split('\n').flatMap((line, at) => {
      const bare = line.replace(/(^|\s)\/\/.*$/, '');
      return pattern.test(bare) ? [`${file}:${at + 1}  ${bare.trim().slice(0, 90)}`] : [];
    });
  });
}

test('every room of src/ has its place in the import graph', () => {
  const strangers = [...new Set(sources.map(roomOf))].filter((room) => !(room in MAY_IMPORT));
  assertNone(strangers, 'Say in MAY_IMPORT what these may import, and who may import them:');
});

test('imports follow the graph', () => {
  const offences = sources.flatMap((file) => {
    const allowed = reachableRooms(roomOf(file));
    return importedFiles(file)
      .filter((target) => target.startsWith('src/') && !allowed.has(roomOf(target)))
      .map((target) => `${file} imports ${target}`);
  });
  assertNone(offences, 'These imports go against MAY_IMPORT:');
  const outward = sources.flatMap((file) =>
    importedFiles(file)
      .filter((target) => !target.startsWith('src/') && target !== 'package.json')
      .map((target) => `${file} imports ${target}`),
  );
  assertNone(outward, 'src/ must not import test/ or bench/. Only its *.test.ts files may:');
  const clients = files.filter((file) => file.startsWith('client/src/') && !file.endsWith('.test.ts'));
  const foreign = clients.flatMap((file) =>
    importsOf(file)
      .filter((target) => !target.startsWith('./'))
      .map((target) => `${file} imports ${target}`),
  );
  assertNone(foreign, 'The client is a package without dependencies:');
});

test('the console imports only types and the domain from the server, and the server nothing from it', () => {
  const offences = files
    .filter((file) => file.startsWith('web/src/') && !file.endsWith('.test.ts'))
    .flatMap((file) =>
      importedFiles(file, { withTypes: false })
        .filter((target) => !/^(web\/src|src\/domain)\//.test(target))
        .map((target) => `${file} imports ${target}`),
    );
  assertNone(offences, 'Import types with `import type`, plain data from src/domain, the rest by request:');
});

test('no markup of the console carries a style or a handler as text', () => {
  const markup = files.filter((file) => file.endsWith('.tsx'));
  assertNone(
    matches(markup, /<style|\bstyle="|dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML/),
    'The page’s policy takes styles from files of their own, and scripts too:',
  );
});

test('no file imports itself by way of others', () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
    if (trail.includes(file) || done.has(file)) return;
    for (const target of importedFiles(file, { withTypes: false })) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  assertNone(cycles, 'Move what both need into a third file:');
});

/** Files that still import each other through types. Shorten this list; never add to it. */
const TYPE_CYCLES: readonly string[] = [
  'src/jobs/batches.ts',
  'src/jobs/item-kinds.ts',
  'src/jobs/read-batches.ts',
  'src/jobs/submit-batch.ts',
  'src/load/import-run.ts',
  'src/load/report-file.ts',
  'src/load/sample-county/homes.ts',
  'src/load/sample-county/true-value.ts',
  'src/operations/training/train-multifamily.ts',
  'src/operations/training/train.ts',
];

test('no file of src/ imports itself by way of others, counting type-only imports', () => {
  const importsItself = (file: string): boolean => {
    const reached = new Set<string>();
    const waiting = importedFiles(file);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      waiting.push(...importedFiles(next));
    }
    return reached.has(file);
  };
  const cycles = sources.filter((file) => !TYPE_CYCLES.includes(file) && importsItself(file));
  assertNone(cycles, 'Move the types that both need into a third file:');
});

test('pure rooms import nothing of Node but hashing, and only packages known to be pure', () => {
  const allowed = [...NODE_MODULES_IN_PURE_ROOMS, ...PURE_PACKAGES];
  const offences = sources
    .filter((file) => PURE_ROOMS.includes(roomOf(file)))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.startsWith('.') && !allowed.includes(target))
        .map((target) => `${file} imports ${target}`),
    );
  assertNone(offences, `${PURE_ROOMS.join(', ')} are pure:`);
});

test('no clock and no chance where the as-of date and the seed are arguments', () => {
  const timeless = sources.filter((file) => [...PURE_ROOMS, 'operations'].includes(roomOf(file)));
  const pattern =
    /\bDate\.now\b|new Date\(\)|\bMath\.random\b|\bperformance\.now\b|\bhrtime\b|\brandom(UUID|Bytes|Int|FillSync)\b|getRandomValues/;
  assertNone(matches(timeless, pattern), 'Take the day, the clock or the seed as an argument:');
});

test('SQL is written in src/store and migrations only', () => {
  const outside = sources.filter((file) => roomOf(file) !== 'store');
  const statement =
    /['"`]\s*(select\s.*\sfrom|insert into|update \w+ set|delete from|create table|pragma)\b/i;
  const builder =
    /\bsql`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(|from '(pg|pg-cursor|node:sqlite)'/;
  assertNone(
    [...matches(outside, statement), ...matches(outside, builder)],
    'Move these statements to src/store:',
  );
});

test('lines of the audit log and of the ledger are only ever added', () => {
  const pattern =
    /\.(updateTable|deleteFrom|mergeInto|replaceInto)\('(audit_log|credit_ledger)'|(update|delete from|truncate( table)?|drop table)\s+(audit_log|credit_ledger)\b/i;
  const migrations = globSync('migrations/*.sql', { cwd: root });
  for (const file of migrations) textOf.set(file, readFileSync(join(root, file), 'utf8'));
  assertNone(matches([...sources, ...migrations], pattern), 'Add a line that says so instead:');
});

test('settings are read in src/config.ts only', () => {
  const code = sources.filter((file) => file !== 'src/config.ts');
  assertNone(matches(code, /\bprocess\.env\b/), 'Read these settings in src/config.ts:');
});

test('nothing dials out but through src/egress', () => {
  const outside = sources.filter((file) => roomOf(file) !== 'egress');
  const pattern =
    /^import (?!type).*from '(undici|node:net|node:tls|node:dgram|axios|got)'|^\s*(return |await |const .*= )?(await )?fetch\(/;
  assertNone(matches(outside, pattern), 'Call out through src/egress:');
});

test('files stay under 400 lines and bear names that say what they hold', () => {
  const long = files
    .map((file) => ({ file, lines: (textOf.get(file) ?? '').split('\n').length - 1 }))
    .filter(({ lines }) => lines > 400)
    .map(({ file, lines }) => `${file}: ${lines} lines`);
  assertNone(long, 'Split these files:');
  const vague = files.filter((file) => /(^|[/-])(utils?|helpers?|common|misc|managers?)([/.-]|$)/.test(file));
  assertNone(vague, 'Name these files for what they hold:');
  const cased = files.filter((file) => !/^[a-z0-9-]+(\.test)?\.tsx?$/.test(basename(file)));
  assertNone(cased, 'File names are kebab-case:');
});
