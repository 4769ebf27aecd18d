import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { PlumblineError } from './errors.ts';

/** Every setting of the program. Read once at start from the environment; nothing else reads `process.env`. */
export interface Config {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  /** Bearer token for /metrics; without one, metrics are served to loopback callers only. */
  readonly metricsToken: string | null;
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Worker threads for training and backtests. */
  readonly threads: number;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

interface Setting {
  readonly name: string;
  readonly member: keyof Config;
  readonly fallback: string;
  readonly about: string;
  readonly isSecret?: boolean;
}

/** The table that start-up prints and docs/operations/settings.md repeats. */
export const SETTINGS: readonly Setting[] = [
  {
    name: 'PLUMBLINE_DATA',
    member: 'dataDir',
    fallback: './data',
    about: 'folder of the embedded database and of import reports',
  },
  {
    name: 'DATABASE_URL',
    member: 'databaseUrl',
    fallback: '',
    about: 'postgres://… to use PostgreSQL instead of the embedded database',
    isSecret: true,
  },
  {
    name: 'HOST',
    member: 'host',
    fallback: '127.0.0.1',
    about: 'address to listen on; 0.0.0.0 for every one',
  },
  { name: 'PORT', member: 'port', fallback: '8080', about: 'port to listen on' },
  { name: 'LOG_LEVEL', member: 'logLevel', fallback: 'info', about: LOG_LEVELS.join(', ') },
  {
    name: 'METRICS_TOKEN',
    member: 'metricsToken',
    fallback: '',
    about: 'bearer token for /metrics; without one only loopback callers may read it',
    isSecret: true,
  },
  {
    name: 'TRUSTED_PROXIES',
    member: 'trustedProxies',
    fallback: '',
    about: 'comma-separated proxy addresses whose X-Forwarded-For is believed',
  },
  {
    name: 'PLUMBLINE_THREADS',
    member: 'threads',
    fallback: String(availableParallelism()),
    about: 'worker threads for training and backtests',
  },
];

/** Environment → settings. Throws `usage` naming the setting that cannot be used. */
export function readConfig(environment: Environment): Config {
  const text = (name: string): string => {
    const setting = SETTINGS.find((candidate) => candidate.name === name);
    return environment[name]?.trim() || (setting?.fallback ?? '');
  };
  return {
    dataDir: resolve(text('PLUMBLINE_DATA')),
    databaseUrl: parseDatabaseUrl(text('DATABASE_URL')),
    host: text('HOST'),
    port: parseWhole('PORT', text('PORT'), 0, 65_535),
    logLevel: parseLogLevel(text('LOG_LEVEL')),
    metricsToken: text('METRICS_TOKEN') || null,
    trustedProxies: parseProxies(text('TRUSTED_PROXIES')),
    threads: parseWhole('PLUMBLINE_THREADS', text('PLUMBLINE_THREADS'), 1, 256),
  };
}

/** The settings of this process: the one place that reads `process.env`. */
export function readProcessConfig(): Config {
  return readConfig(process.env);
}

/** One line a setting, secrets masked, for printing at start. */
export function describeConfig(config: Config): string[] {
  return SETTINGS.map((setting) => {
    const value = config[setting.member];
    const shown = setting.isSecret && value ? '(set)' : Array.isArray(value) ? value.join(',') : value;
    return `${setting.name}=${shown === null || shown === '' ? '(not set)' : String(shown)}`;
  });
}

function parseDatabaseUrl(text: string): string | null {
  if (text === '') return null;
  if (/^postgres(ql)?:\/\//.test(text)) return text;
  throw new PlumblineError(
    'usage',
    'DATABASE_URL must start with postgres:// or postgresql://. Leave it out to use the embedded database.',
  );
}

function parseProxies(text: string): readonly string[] {
  const proxies = text
    .split(',')
    .map((proxy) => proxy.trim())
    .filter((proxy) => proxy !== '');
  const wrong = proxies.find((proxy) => !isAddressOrRange(proxy));
  if (wrong === undefined) return proxies;
  throw new PlumblineError(
    'usage',
    `TRUSTED_PROXIES names "${wrong}"; write addresses or ranges such as 10.0.0.0/8, separated by commas.`,
  );
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const isV4 =
    /^(\d{1,3}\.){3}\d{1,3}$/.test(address) && address.split('.').every((part) => Number(part) <= 255);
  const isV6 = address.includes(':') && URL.canParse(`http://[${address}]/`);
  if ((!isV4 && !isV6) || more.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (isV4 ? 32 : 128);
}

function parseWhole(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new PlumblineError(
    'usage',
    `${name} is "${text}"; it must be a whole number from ${least} to ${most}.`,
  );
}

function parseLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((candidate) => candidate === text);
  if (level) return level;
  throw new PlumblineError('usage', `LOG_LEVEL is "${text}"; it must be one of ${LOG_LEVELS.join(', ')}.`);
}
