import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { PlumblineError } from './errors.ts';

/**
 * All settings of the program, read once from the environment at start. Nothing else reads `process.env`.
 */
export interface Config {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly host: string;
  readonly port: number;
  /** Maximum open connections. Further connections are closed at once. */
  readonly maxConnections: number;
  readonly logLevel: LogLevel;
  /** Bearer token for /metrics. Without it, only loopback callers can read metrics. */
  readonly metricsToken: string | null;
  /** Addresses of proxies whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  /** Worker threads: for training and backtests, and for valuations while serving. */
  readonly threads: number;
  /** Threads that work on batches while serving; 0 if other processes do that. */
  readonly jobThreads: number;
  /** How long the items claimed by a dead worker stay claimed. */
  readonly jobLeaseSeconds: number;
  /** Private address ranges that webhooks may call, on any port. */
  readonly callbackAllowCidrs: readonly string[];
  /** Base64 of the 32-byte key that encrypts webhook secrets; null = the key file in the data folder. */
  readonly webhookKey: string | null;
  readonly geocoder: GeocoderSetting | null;
  readonly censusApi: CensusApiSetting;
  /**
   * File with the operator's vacancy rates, expenses, cap rates and multipliers; null = the values of the
   * market, then the defaults.
   */
  readonly incomeAssumptions: string | null;
  /** File of plans in addition to the built-in plans; null = only the built-in plans. */
  readonly plans: string | null;
  /** URL template of the operator's map tiles, for the console; null = a map of the loaded data. */
  readonly mapTilesUrl: string | null;
}

export const GEOCODER_KINDS = ['census', 'nominatim'] as const;
export type GeocoderKind = (typeof GEOCODER_KINDS)[number];

/** URL of the geocoder for addresses that no index has. */
export interface GeocoderSetting {
  readonly url: string;
  readonly kind: GeocoderKind;
  /** Private address ranges that the geocoder may be in. */
  readonly allowCidrs: readonly string[];
}

/** URL that `plumbline fetch census` calls. The server itself never calls it. */
export interface CensusApiSetting {
  readonly url: string;
  /** API key, free from the Census Bureau (api.census.gov/data/key_signup.html). */
  readonly key: string | null;
  /** Private address ranges that the Census API may be in, for an operator's own mirror. */
  readonly allowCidrs: readonly string[];
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

interface Setting {
  readonly name: string;
  readonly shown: (config: Config) => string | number | readonly string[] | null | undefined;
  readonly fallback: string;
  readonly about: string;
  readonly isSecret?: boolean;
}

/** The table of settings printed at start and repeated in docs/operations/settings.md. */
export const SETTINGS: readonly Setting[] = [
  {
    name: 'PLUMBLINE_DATA',
    shown: (config) => config.dataDir,
    fallback: './data',
    about: 'folder of the embedded database and of import reports',
  },
  {
    name: 'DATABASE_URL',
    shown: (config) => config.databaseUrl,
    fallback: '',
    about: 'postgres://… to use PostgreSQL instead of the embedded database',
    isSecret: true,
  },
  {
    name: 'HOST',
    shown: (config) => config.host,
    fallback: '127.0.0.1',
    about: 'address to listen on; 0.0.0.0 for all addresses',
  },
  { name: 'PORT', shown: (config) => config.port, fallback: '8080', about: 'port to listen on' },
  {
    name: 'MAX_CONNECTIONS',
    shown: (config) => config.maxConnections,
    fallback: '1000',
    about: 'maximum open connections; further ones are closed at once',
  },
  { name: 'LOG_LEVEL', shown: (config) => config.logLevel, fallback: 'info', about: LOG_LEVELS.join(', ') },
  {
    name: 'METRICS_TOKEN',
    shown: (config) => config.metricsToken,
    fallback: '',
    about: 'bearer token for /metrics; without one, only loopback callers can read it',
    isSecret: true,
  },
  {
    name: 'TRUSTED_PROXIES',
    shown: (config) => config.trustedProxies,
    fallback: '',
    about: 'comma-separated proxy addresses whose X-Forwarded-For header is trusted',
  },
  {
    name: 'PLUMBLINE_THREADS',
    shown: (config) => config.threads,
    fallback: String(availableParallelism()),
    about: 'worker threads: for training and backtests, and for valuations while serving',
  },
  {
    name: 'JOB_THREADS',
    shown: (config) => config.jobThreads,
    fallback: '',
    about: 'threads that work on batches; PLUMBLINE_THREADS if not set; 0 = none in a serving process',
  },
  {
    name: 'JOB_LEASE_SECONDS',
    shown: (config) => config.jobLeaseSeconds,
    fallback: '60',
    about: 'how long batch items of a dead worker wait before another worker takes them',
  },
  {
    name: 'CALLBACK_ALLOW_CIDRS',
    shown: (config) => config.callbackAllowCidrs,
    fallback: '',
    about: 'comma-separated private address ranges that webhooks may call',
  },
  {
    name: 'WEBHOOK_KEY',
    shown: (config) => config.webhookKey,
    fallback: '',
    about: 'base64 of the 32-byte key that encrypts webhook secrets; without one, a file in the data folder',
    isSecret: true,
  },
  {
    name: 'GEOCODER_URL',
    shown: (config) => config.geocoder?.url,
    fallback: '',
    about: 'URL of a geocoder for addresses that no index has; without one, no geocoder is used',
    isSecret: true,
  },
  {
    name: 'GEOCODER_KIND',
    shown: (config) => config.geocoder?.kind,
    fallback: 'nominatim',
    about: GEOCODER_KINDS.join(', '),
  },
  {
    name: 'GEOCODER_ALLOW_CIDRS',
    shown: (config) => config.geocoder?.allowCidrs,
    fallback: '',
    about: 'comma-separated private address ranges that the geocoder may be in',
  },
  {
    name: 'CENSUS_API_KEY',
    shown: (config) => config.censusApi.key,
    fallback: '',
    about: 'key of the Census API, for plumbline fetch census',
    isSecret: true,
  },
  {
    name: 'CENSUS_API_URL',
    shown: (config) => config.censusApi.url,
    fallback: 'https://api.census.gov',
    about: 'URL of the Census API, or of a mirror of it',
  },
  {
    name: 'CENSUS_API_ALLOW_CIDRS',
    shown: (config) => config.censusApi.allowCidrs,
    fallback: '',
    about: 'comma-separated private address ranges that a mirror may be in',
  },
  {
    name: 'INCOME_ASSUMPTIONS',
    shown: (config) => config.incomeAssumptions,
    fallback: '',
    about:
      'JSON file of vacancy rate, expense ratio, cap rate and gross rent multiplier, instead of those of the markets',
  },
  {
    name: 'PLANS',
    shown: (config) => config.plans,
    fallback: '',
    about:
      'JSON file of account plans, in addition to the built-in free, standard, professional and unlimited',
  },
  {
    name: 'MAP_TILES_URL',
    shown: (config) => config.mapTilesUrl,
    fallback: '',
    about: 'map tiles for the console, https://…/{z}/{x}/{y}.png; without it, the map shows the loaded data',
  },
];

/** Reads settings from the environment. Throws `usage` with the name of an invalid setting. */
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
    maxConnections: parseWhole('MAX_CONNECTIONS', text('MAX_CONNECTIONS'), 1, 100_000),
    logLevel: parseLogLevel(text('LOG_LEVEL')),
    metricsToken: text('METRICS_TOKEN') || null,
    trustedProxies: parseRanges('TRUSTED_PROXIES', text('TRUSTED_PROXIES')),
    threads: parseWhole('PLUMBLINE_THREADS', text('PLUMBLINE_THREADS'), 1, 256),
    jobThreads: parseWhole('JOB_THREADS', text('JOB_THREADS') || text('PLUMBLINE_THREADS'), 0, 256),
    jobLeaseSeconds: parseWhole('JOB_LEASE_SECONDS', text('JOB_LEASE_SECONDS'), 1, 3600),
    callbackAllowCidrs: parseRanges('CALLBACK_ALLOW_CIDRS', text('CALLBACK_ALLOW_CIDRS')),
    webhookKey: parseKey('WEBHOOK_KEY', text('WEBHOOK_KEY')),
    geocoder: parseGeocoder(text),
    censusApi: {
      url: parseWebAddress('CENSUS_API_URL', text('CENSUS_API_URL')),
      key: text('CENSUS_API_KEY') || null,
      allowCidrs: parseRanges('CENSUS_API_ALLOW_CIDRS', text('CENSUS_API_ALLOW_CIDRS')),
    },
    incomeAssumptions: text('INCOME_ASSUMPTIONS') ? resolve(text('INCOME_ASSUMPTIONS')) : null,
    plans: text('PLANS') ? resolve(text('PLANS')) : null,
    mapTilesUrl: parseMapTilesUrl(text('MAP_TILES_URL')),
  };
}

/** The settings of this process. This is the only place that reads `process.env`. */
export function readProcessConfig(): Config {
  return readConfig(process.env);
}

/** One line per setting, with secrets masked, for printing at start. */
export function describeConfig(config: Config): string[] {
  return SETTINGS.map((setting) => {
    const value = setting.shown(config) ?? null;
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

/** 32 bytes in Base64: 43 characters and one of padding. */
function parseKey(name: string, text: string): string | null {
  if (text === '') return null;
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) return text;
  throw new PlumblineError(
    'usage',
    `${name} must be 32 random bytes in base64, as "openssl rand -base64 32" prints them.`,
  );
}

function parseGeocoder(text: (name: string) => string): GeocoderSetting | null {
  const url = text('GEOCODER_URL');
  const kind = GEOCODER_KINDS.find((candidate) => candidate === text('GEOCODER_KIND'));
  const allowCidrs = parseRanges('GEOCODER_ALLOW_CIDRS', text('GEOCODER_ALLOW_CIDRS'));
  if (kind === undefined) {
    throw new PlumblineError('usage', `GEOCODER_KIND must be one of ${GEOCODER_KINDS.join(', ')}.`);
  }
  if (url === '') return null;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return { url, kind, allowCidrs };
  throw new PlumblineError(
    'usage',
    'GEOCODER_URL must be an http:// or https:// URL such as https://geocoder.example/search.',
  );
}

/** A tile URL template: browsers replace {z}, {x} and {y} with the numbers of a tile. */
function parseMapTilesUrl(text: string): string | null {
  if (text === '') return null;
  const isAddress = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  const hasPlaces = ['{z}', '{x}', '{y}'].every((place) => text.includes(place));
  const isSafe =
    /^[\w\-.~:/?#[\]@!$&()*+,;=%{}]+$/.test(text) && !/[{}]/.test(text.replaceAll(/\{[zxy]\}/g, ''));
  // The host becomes part of the Content-Security-Policy of the console, so it must not contain a
  // placeholder.
  if (isAddress && hasPlaces && isSafe && !new URL(text).host.includes('{')) return text;
  throw new PlumblineError(
    'usage',
    `MAP_TILES_URL is "${text}"; it must be a URL of map tiles with {z}, {x} and {y} after its host, such as https://tiles.example/{z}/{x}/{y}.png.`,
  );
}

/** Without a trailing slash. */
function parseWebAddress(name: string, text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '');
  throw new PlumblineError('usage', `${name} is "${text}"; it must be an http:// or https:// URL.`);
}

function parseRanges(name: string, text: string): readonly string[] {
  const ranges = text
    .split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '');
  const wrong = ranges.find((range) => !isAddressOrRange(range));
  if (wrong === undefined) return ranges;
  throw new PlumblineError(
    'usage',
    `${name} names "${wrong}"; write addresses or ranges such as 10.0.0.0/8, separated by commas.`,
  );
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const isV4 =
    /^((0|[1-9]\d{0,2})\.){3}(0|[1-9]\d{0,2})$/.test(address) &&
    address.split('.').every((part) => Number(part) <= 255);
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
