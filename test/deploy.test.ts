import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseEnv } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, SETTINGS } from '../src/config.ts';
import { ROUTES } from '../src/api/routes.ts';
import { shownIn } from './doc-snippets.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-deploy-'));
after(() => rmSync(folder, { recursive: true }));

const PATH = `${process.env.PATH}:/usr/sbin`;

/** Why a test of a program is skipped: false if it is installed. */
function needs(program: string): string | false {
  const found = spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH } });
  return found.status === 0 ? false : `needs ${program}`;
}

function run(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { PATH } });
  assert.equal(status, 0, `${program} ${args.join(' ')}\n${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}

const readText = (path: string): string => readFileSync(path, 'utf8');
const knownSettings = new Set(SETTINGS.map(({ name }) => name));

test('HAProxy accepts its configuration', { skip: needs('haproxy') }, () => {
  run('haproxy', '-c', '-f', 'deploy/haproxy.cfg');
});

test('nginx accepts the example of the scale page', { skip: needs('nginx') }, () => {
  const example = shownIn('docs/operations/scale.md').find(({ code }) => code.startsWith('upstream'));
  assert.ok(example);
  const [upstream, location] = example.code.split(/^(?=location)/m);
  const file = join(folder, 'nginx.conf');
  // Its own folders belong to root.
  const uses = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = uses.map((use) => `${use}_temp_path ${folder}/${use};`).join(' ');
  writeFileSync(
    file,
    `pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${temporary} ${upstream} server { listen unix:${folder}/nginx.sock; ${location} } }`,
  );
  run('nginx', '-t', '-c', file);
});

test(
  'the secrets that the installation page makes for compose.yaml are valid',
  { skip: needs('openssl') },
  () => {
    const example = shownIn('docs/operations/install.md').find(({ code }) => code.includes('> .env'));
    run('sh', '-euc', `cd ${folder}; ${example?.code}`);
    const { POSTGRES_PASSWORD, WEBHOOK_KEY } = parseEnv(readText(join(folder, '.env')));
    const DATABASE_URL = `postgres://plumbline:${POSTGRES_PASSWORD}@pgbouncer:6432/plumbline`;
    const config = readConfig({ DATABASE_URL, WEBHOOK_KEY });
    assert.equal(config.webhookKey, WEBHOOK_KEY);
    assert.match(POSTGRES_PASSWORD ?? '', /^[0-9a-f]{32}$/);
  },
);

test('systemd accepts the unit and finds it hardened', { skip: needs('systemd-analyze') }, () => {
  const unit = readText('deploy/plumbline.service');
  assert.match(unit, /^ExecStart=\/opt\/plumbline\/bin\/plumbline serve$/m);
  const file = join(folder, 'plumbline.service');
  writeFileSync(file, unit.replace('/opt/plumbline/bin/plumbline', process.execPath));
  assert.equal(run('systemd-analyze', 'verify', file), '');
  // From 0, no access, to 100.
  run('systemd-analyze', 'security', '--offline=yes', '--threshold=20', file);
});

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const manifests = parseAllDocuments(readText('deploy/kubernetes.yaml')).map((document): Manifest =>
  document.toJS(),
);

test('the Kubernetes manifests have the types of the Kubernetes API', () => {
  const checked = join('node_modules/.cache/kubernetes');
  mkdirSync(checked, { recursive: true });
  const lines = manifests.map(
    ({ apiVersion, kind }, i) =>
      `import type { ${kind} as Type${i} } from 'kubernetes-types/${apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`}.js';\n` +
      `export const manifest${i}: Type${i} = ${JSON.stringify(manifests[i])};\n`,
  );
  writeFileSync(join(checked, 'manifests.ts'), lines.join(''));
  const flags = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--ignoreConfig',
    '--types',
    '',
    '--module',
    'nodenext',
  ];
  run(process.execPath, 'node_modules/typescript/bin/tsc', ...flags, join(checked, 'manifests.ts'));
});

interface Workload extends Manifest {
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: { readonly containers: readonly Container[] };
    };
  };
}

interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string }[];
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string } } | undefined;
}

test('the Kubernetes manifests run commands that exist, with settings and health checks that exist', () => {
  const workloads = manifests.filter((manifest): manifest is Workload => manifest.kind === 'Deployment');
  const commands = workloads.flatMap(({ spec: { selector, template } }) => {
    assert.deepEqual(selector.matchLabels, template.metadata.labels);
    return template.spec.containers.flatMap((container) => {
      for (const { name } of container.env) assert.ok(knownSettings.has(name), name);
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
        const path = container[probe]?.httpGet.path;
        if (path)
          assert.ok(
            ROUTES.some((route) => route.path === path),
            path,
          );
      }
      return container.args;
    });
  });
  assert.deepEqual(commands, ['serve', 'work']);
});

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
}

interface ComposeService {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
}

test('compose.yaml mounts files that exist, sets settings that exist, and balances all its servers', () => {
  const { services }: Compose = parse(readText('compose.yaml'), { merge: true });
  const ours = Object.entries(services).filter(([, { image }]) => image === 'plumbline');
  for (const [name, { environment = {}, read_only: isReadOnly }] of ours) {
    for (const setting of Object.keys(environment)) assert.ok(knownSettings.has(setting), setting);
    assert.ok(isReadOnly, name);
  }
  for (const { volumes = [] } of Object.values(services)) {
    const files = volumes.map((volume) => volume.split(':')[0]).filter((file) => file.startsWith('./'));
    for (const file of files) assert.ok(existsSync(file), file);
  }
  const servers = ours.filter(([, { command }]) => command === undefined).map(([name]) => `${name}:8080`);
  const balanced = [...readText('deploy/haproxy.cfg').matchAll(/^ {2}server \S+ (\S+)$/gm)];
  assert.deepEqual(
    balanced.map(([, address]) => address),
    servers,
  );
  const pooler = readText('deploy/pgbouncer/pgbouncer.ini');
  assert.match(pooler, /^pool_mode = transaction$/m);
  const [, port] = /^listen_port = (\d+)$/m.exec(pooler) ?? [];
  for (const [, { environment }] of ours) {
    assert.ok(environment?.DATABASE_URL.endsWith(`@pgbouncer:${port}/plumbline`));
  }
});
