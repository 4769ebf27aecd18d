import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';

/** The last image of a Containerfile, as a folder. */
export interface BuiltImage {
  /** The folder that is `/` in the container. */
  readonly root: string;
  readonly workdir: string;
  readonly user: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly healthcheck: readonly string[];
  readonly command: readonly string[];
  /** The instructions that were run, with their times. */
  readonly steps: readonly { readonly instruction: string; readonly seconds: number }[];
}

interface Stage {
  readonly name: string;
  readonly root: string;
  workdir: string;
  readonly environment: Record<string, string>;
  readonly settings: Map<string, string>;
}

/**
 * Runs the steps of a Containerfile in empty folders, one for each stage, without a container engine. Base images are not
 * loaded: RUN uses the programs of this machine, so it must name no absolute path. Throws for an instruction that this
 * does not know, so that none is left out.
 */
export function buildImage(file: string, context: string, folder: string): BuiltImage {
  const stages: Stage[] = [];
  const steps: { instruction: string; seconds: number }[] = [];
  for (const instruction of instructionsOf(file)) {
    const started = performance.now();
    step(instruction, stages, context, folder);
    steps.push({ instruction, seconds: (performance.now() - started) / 1000 });
  }
  const last = stages.at(-1);
  if (!last) throw new Error(`${file} has no FROM`);
  const { root, workdir, environment, settings } = last;
  const listOf = (name: string): string[] => JSON.parse(settings.get(name) ?? '[]');
  const [, healthcheck = '[]'] = /CMD (\[.*\])$/.exec(settings.get('HEALTHCHECK') ?? '') ?? [];
  return {
    root,
    workdir,
    user: settings.get('USER') ?? 'root',
    environment,
    volumes: (settings.get('VOLUME') ?? '').split(' '),
    healthcheck: JSON.parse(healthcheck),
    command: [...listOf('ENTRYPOINT'), ...listOf('CMD')],
    steps,
  };
}

/** Instructions without comments, with continuation lines joined. */
function instructionsOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function step(instruction: string, stages: Stage[], context: string, folder: string): void {
  const [, name, rest] = /^([A-Z]+) (.+)$/.exec(instruction) ?? [];
  if (name === 'ARG') return;
  if (name === 'FROM') {
    const stage = / AS (\S+)$/.exec(rest)?.[1] ?? String(stages.length);
    const root = join(folder, stage);
    mkdirSync(root);
    stages.push({ name: stage, root, workdir: '/', environment: {}, settings: new Map() });
    return;
  }
  const stage = stages.at(-1);
  if (!stage) throw new Error(`${instruction} is before the first FROM`);
  const inStage = (path: string): string => join(stage.root, resolve(stage.workdir, path));
  switch (name) {
    case 'WORKDIR':
      stage.workdir = rest;
      mkdirSync(inStage('.'), { recursive: true });
      return;
    case 'ENV':
      for (const [, key, value] of rest.matchAll(/(\w+)=(\S+)/g)) stage.environment[key] = value;
      return;
    case 'RUN':
      execFileSync('sh', ['-c', rest], { cwd: inStage('.'), stdio: ['ignore', 'ignore', 'inherit'] });
      return;
    case 'COPY':
      return copy(rest, stages, context, inStage);
    case 'USER':
    case 'VOLUME':
    case 'EXPOSE':
    case 'HEALTHCHECK':
    case 'ENTRYPOINT':
    case 'CMD':
      stage.settings.set(name, rest);
      return;
    default:
      throw new Error(`the instruction ${instruction} is not known here`);
  }
}

function copy(
  rest: string,
  stages: readonly Stage[],
  context: string,
  inStage: (path: string) => string,
): void {
  const words = rest.split(' ');
  const flags = new Map(words.filter((word) => word.startsWith('--')).map((flag) => flagOf(flag)));
  const paths = words.filter((word) => !word.startsWith('--'));
  const source = flags.has('from') ? stages.find(({ name }) => name === flags.get('from'))?.root : context;
  if (!source) throw new Error(`there is no stage ${flags.get('from')}`);
  const target = paths.at(-1) ?? '';
  for (const path of paths.slice(0, -1)) {
    const from = join(source, path);
    if (!existsSync(from)) throw new Error(`COPY ${rest}: there is no ${path}`);
    const into = inStage(target);
    // A folder is copied as its contents, a file under its name.
    cpSync(from, statSync(from).isDirectory() || !target.endsWith('/') ? into : join(into, basename(path)), {
      recursive: true,
    });
    const [uid, gid] = (flags.get('chown') ?? '').split(':').map(Number);
    if (gid !== undefined && process.getuid?.() === 0) chownSync(into, uid, gid);
    chmodSync(into, statSync(into).mode | 0o555);
  }
}

function flagOf(flag: string): [string, string] {
  const [, name, value] = /^--(\w+)=(.+)$/.exec(flag) ?? [];
  if (!['from', 'chown'].includes(name)) throw new Error(`the flag ${flag} is not known here`);
  return [name, value];
}
