import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { constrainedMemory } from 'node:process';
import { parseStepLength, stepLengthText, type StepLength } from './domain/step-length.ts';
import { usageError } from './errors.ts';

/**
 * All settings of the program, read once from the environment at start. docs/operations/settings.md explains
 * them. Nothing else reads `process.env`.
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
  /** URL of an OpenTelemetry collector (OTLP over HTTP), without /v1/traces; null = no tracing. */
  readonly otlpEndpoint: string | null;
  /** Share of the traces that begin here, 0 … 1. */
  readonly traceShare: number;
  /** Addresses of proxies whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  /** Worker threads: for training and backtests, and for valuations while serving. */
  readonly threads: number;
  /** Threads that work on batches while serving; 0 if other processes do that. */
  readonly jobThreads: number;
  /** Memory for models, sales and layers of markets, which all threads share. */
  readonly marketMemoryBytes: number;
  /** How long the items claimed by a dead worker stay claimed. */
  readonly jobLeaseSeconds: number;
  /** Markets are refitted this long after their last training, if they have new rows; null = not by time. */
  readonly trainEvery: StepLength | null;
  /** Markets are refitted after this many new rows; null = not by their number. */
  readonly trainAfterSales: number | null;
  /** How long data are kept. */
  readonly retention: Retention;
  /** Private address ranges that webhooks may call, on any port. */
  readonly callbackAllowCidrs: readonly string[];
  /** Base64 of the 32-byte key that encrypts webhook secrets; null = the key file in the data folder. */
  readonly webhookKey: string | null;
  readonly geocoder: GeocoderSetting | null;
  readonly censusApi: CensusApiSetting;
  readonly fhfa: FhfaSetting;
  /**
   * File with the operator's vacancy rates, expenses, cap rates and multipliers; null = the values of the
   * market, then the defaults.
   */
  readonly incomeAssumptions: string | null;
  /** File of plans in addition to the built-in plans; null = only the built-in plans. */
  readonly plans: string | null;
  /** URL template of the operator's map tiles, for the console; null = a map of the loaded data. */
  readonly mapTilesUrl: string | null;
  /** The operator's archive of map tiles. */
  readonly basemapPmtiles: string | null;
  /** The address at which people reach this server, for links and for sign-in by a provider; null = not known. */
  readonly publicUrl: string | null;
  readonly oidc: OidcSetting | null;
}

/** The OpenID Connect provider by which users can sign in. */
export interface OidcSetting {
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client, which proves itself by PKCE alone. */
  readonly clientSecret: string | null;
  /** Its name on the sign-in page. */
  readonly name: string;
  /** Private address ranges that it may be in. */
  readonly allowCidrs: readonly string[];
  /** PUBLIC_URL, to which it sends users back. */
  readonly publicUrl: string;
}

/** How long data are kept, in days; null = as long as the database exists. */
export interface Retention {
  /** Valuations that nobody saved, challenged or shared, after they were made. */
  readonly valuationsDays: number | null;
  readonly auditDays: number | null;
  /** Webhook deliveries, after their end. */
  readonly deliveriesDays: number;
  /** Items, results and files of jobs, after their end. */
  readonly jobsDays: number;
}

const GEOCODER_KINDS = ['census', 'nominatim'] as const;
export type GeocoderKind = (typeof GEOCODER_KINDS)[number];

/** URL of the geocoder for addresses that are not in the address index. */
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

/** Folder from which `plumbline fetch index` downloads. The server itself never does. */
export interface FhfaSetting {
  readonly url: string;
  /** Private address ranges that it may be in, for an operator's own mirror. */
  readonly allowCidrs: readonly string[];
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MB = 1e6;
/** Of the machine, or of the container if that has less. */
const QUARTER_OF_MEMORY_MB = Math.max(
  256,
  Math.floor(Math.min(totalmem(), constrainedMemory() || Infinity) / 4 / MB),
);

interface Setting {
  readonly name: string;
  /** Empty if the setting has no default. */
  readonly fallback: string;
  /** The value as it is printed at start. */
  readonly shown: (config: Config) => string | number | readonly string[] | null | undefined;
  readonly isSecret?: true;
}

/** The provider's settings before it is known that none is missing. */
type PartialOidc = Omit<OidcSetting, 'clientId' | 'publicUrl'> & {
  readonly clientId: string | null;
  readonly publicUrl: string | null;
};

/** Every setting, in the order of docs/operations/settings.md. A secret is printed as "(set)". */
export const SETTINGS: readonly Setting[] = [
  { name: 'PLUMBLINE_DATA', fallback: './data', shown: (config) => config.dataDir },
  { name: 'DATABASE_URL', fallback: '', shown: (config) => config.databaseUrl, isSecret: true },
  { name: 'HOST', fallback: '127.0.0.1', shown: (config) => config.host },
  { name: 'PORT', fallback: '8080', shown: (config) => config.port },
  { name: 'MAX_CONNECTIONS', fallback: '1000', shown: (config) => config.maxConnections },
  { name: 'LOG_LEVEL', fallback: 'info', shown: (config) => config.logLevel },
  { name: 'METRICS_TOKEN', fallback: '', shown: (config) => config.metricsToken, isSecret: true },
  { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', fallback: '', shown: (config) => config.otlpEndpoint },
  { name: 'OTEL_TRACES_SAMPLER_ARG', fallback: '1', shown: (config) => config.traceShare },
  { name: 'TRUSTED_PROXIES', fallback: '', shown: (config) => config.trustedProxies },
  { name: 'PLUMBLINE_THREADS', fallback: String(availableParallelism()), shown: (config) => config.threads },
  // Without a setting, as many as PLUMBLINE_THREADS.
  { name: 'JOB_THREADS', fallback: '', shown: (config) => config.jobThreads },
  {
    name: 'MARKET_MEMORY',
    fallback: String(QUARTER_OF_MEMORY_MB),
    shown: (config) => config.marketMemoryBytes / MB,
  },
  { name: 'JOB_LEASE_SECONDS', fallback: '60', shown: (config) => config.jobLeaseSeconds },
  { name: 'TRAIN_EVERY', fallback: '', shown: ({ trainEvery }) => trainEvery && stepLengthText(trainEvery) },
  { name: 'TRAIN_AFTER_SALES', fallback: '', shown: (config) => config.trainAfterSales },
  { name: 'RETAIN_VALUATIONS_DAYS', fallback: '', shown: ({ retention }) => retention.valuationsDays },
  { name: 'RETAIN_AUDIT_DAYS', fallback: '', shown: ({ retention }) => retention.auditDays },
  { name: 'RETAIN_DELIVERIES_DAYS', fallback: '30', shown: ({ retention }) => retention.deliveriesDays },
  { name: 'RETAIN_JOBS_DAYS', fallback: '30', shown: ({ retention }) => retention.jobsDays },
  { name: 'CALLBACK_ALLOW_CIDRS', fallback: '', shown: (config) => config.callbackAllowCidrs },
  { name: 'WEBHOOK_KEY', fallback: '', shown: (config) => config.webhookKey, isSecret: true },
  // The URL of a geocoder can contain a key.
  { name: 'GEOCODER_URL', fallback: '', shown: (config) => config.geocoder?.url, isSecret: true },
  { name: 'GEOCODER_KIND', fallback: 'nominatim', shown: (config) => config.geocoder?.kind },
  { name: 'GEOCODER_ALLOW_CIDRS', fallback: '', shown: (config) => config.geocoder?.allowCidrs },
  { name: 'CENSUS_API_KEY', fallback: '', shown: (config) => config.censusApi.key, isSecret: true },
  { name: 'CENSUS_API_URL', fallback: 'https://api.census.gov', shown: (config) => config.censusApi.url },
  { name: 'CENSUS_API_ALLOW_CIDRS', fallback: '', shown: (config) => config.censusApi.allowCidrs },
  {
    name: 'FHFA_URL',
    fallback: 'https://www.fhfa.gov/hpi/download/quarterly_datasets',
    shown: (config) => config.fhfa.url,
  },
  { name: 'FHFA_ALLOW_CIDRS', fallback: '', shown: (config) => config.fhfa.allowCidrs },
  { name: 'INCOME_ASSUMPTIONS', fallback: '', shown: (config) => config.incomeAssumptions },
  { name: 'PLANS', fallback: '', shown: (config) => config.plans },
  { name: 'MAP_TILES_URL', fallback: '', shown: (config) => config.mapTilesUrl },
  { name: 'BASEMAP_PMTILES', fallback: '', shown: (config) => config.basemapPmtiles },
  { name: 'PUBLIC_URL', fallback: '', shown: (config) => config.publicUrl },
  { name: 'OIDC_ISSUER', fallback: '', shown: (config) => config.oidc?.issuer },
  { name: 'OIDC_CLIENT_ID', fallback: '', shown: (config) => config.oidc?.clientId },
  { name: 'OIDC_CLIENT_SECRET', fallback: '', shown: (config) => config.oidc?.clientSecret, isSecret: true },
  { name: 'OIDC_NAME', fallback: 'SSO', shown: (config) => config.oidc?.name },
  { name: 'OIDC_ALLOW_CIDRS', fallback: '', shown: (config) => config.oidc?.allowCidrs },
];

/** Reads settings from the environment. Throws `usage` with the name of an invalid setting. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const text = (name: string): string => {
    const setting = SETTINGS.find((candidate) => candidate.name === name);
    return environment[name]?.trim() || (setting?.fallback ?? '');
  };
  /** Settings without a default are null unless they are set. */
  const optional = <T>(name: string, parse: (name: string, text: string) => T): T | null =>
    text(name) === '' ? null : parse(name, text(name));
  const whole = (name: string, least: number, most: number): number =>
    parseWhole(name, text(name), least, most);
  const ranges = (name: string): readonly string[] => parseRanges(name, text(name));
  const file = (_name: string, path: string): string => resolve(path);
  const asIs = (_name: string, value: string): string => value;
  const kind = parseOneOf('GEOCODER_KIND', text('GEOCODER_KIND'), GEOCODER_KINDS);
  const geocoder = { kind, allowCidrs: ranges('GEOCODER_ALLOW_CIDRS') };
  const threads = whole('PLUMBLINE_THREADS', 1, 256);
  // Without a trailing slash.
  const publicUrl = optional('PUBLIC_URL', parseWebAddress)?.replace(/\/+$/, '') ?? null;
  const oidc = {
    clientId: optional('OIDC_CLIENT_ID', asIs),
    clientSecret: optional('OIDC_CLIENT_SECRET', asIs),
    name: parseShortText('OIDC_NAME', text('OIDC_NAME')),
    allowCidrs: ranges('OIDC_ALLOW_CIDRS'),
    publicUrl,
  };
  return {
    dataDir: resolve(text('PLUMBLINE_DATA')),
    databaseUrl: optional('DATABASE_URL', parseDatabaseUrl),
    host: text('HOST'),
    port: whole('PORT', 0, 65_535),
    maxConnections: whole('MAX_CONNECTIONS', 1, 100_000),
    logLevel: parseOneOf('LOG_LEVEL', text('LOG_LEVEL'), LOG_LEVELS),
    metricsToken: optional('METRICS_TOKEN', asIs),
    otlpEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', parseWebAddress)?.replace(/\/+$/, '') ?? null,
    traceShare: parseShare('OTEL_TRACES_SAMPLER_ARG', text('OTEL_TRACES_SAMPLER_ARG')),
    trustedProxies: ranges('TRUSTED_PROXIES'),
    threads,
    jobThreads: text('JOB_THREADS') === '' ? threads : whole('JOB_THREADS', 0, 256),
    marketMemoryBytes: MB * whole('MARKET_MEMORY', 1, 10_000_000),
    jobLeaseSeconds: whole('JOB_LEASE_SECONDS', 1, 3600),
    trainEvery: optional('TRAIN_EVERY', parseEvery),
    trainAfterSales: text('TRAIN_AFTER_SALES') === '' ? null : whole('TRAIN_AFTER_SALES', 1, 10_000_000),
    retention: {
      valuationsDays: optional('RETAIN_VALUATIONS_DAYS', parseDays),
      auditDays: optional('RETAIN_AUDIT_DAYS', parseDays),
      deliveriesDays: parseDays('RETAIN_DELIVERIES_DAYS', text('RETAIN_DELIVERIES_DAYS')),
      jobsDays: parseDays('RETAIN_JOBS_DAYS', text('RETAIN_JOBS_DAYS')),
    },
    callbackAllowCidrs: ranges('CALLBACK_ALLOW_CIDRS'),
    webhookKey: optional('WEBHOOK_KEY', parseKey),
    geocoder: optional('GEOCODER_URL', (name, url) => ({ url: parseWebAddress(name, url), ...geocoder })),
    censusApi: {
      // Without a trailing slash.
      url: parseWebAddress('CENSUS_API_URL', text('CENSUS_API_URL')).replace(/\/+$/, ''),
      key: optional('CENSUS_API_KEY', asIs),
      allowCidrs: ranges('CENSUS_API_ALLOW_CIDRS'),
    },
    fhfa: {
      url: parseWebAddress('FHFA_URL', text('FHFA_URL')).replace(/\/+$/, ''),
      allowCidrs: ranges('FHFA_ALLOW_CIDRS'),
    },
    incomeAssumptions: optional('INCOME_ASSUMPTIONS', file),
    plans: optional('PLANS', file),
    mapTilesUrl: optional('MAP_TILES_URL', parseMapTilesUrl),
    basemapPmtiles: optional('BASEMAP_PMTILES', file),
    publicUrl,
    oidc: optional('OIDC_ISSUER', (name, issuer) => parseOidc(name, { issuer, ...oidc })),
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

function parseDatabaseUrl(name: string, text: string): string {
  if (/^postgres(ql)?:\/\//.test(text)) return text;
  throw usageError(
    `${name} must start with postgres:// or postgresql://. Leave it out to use the embedded database.`,
  );
}

function parseEvery(name: string, text: string): StepLength {
  const every = parseStepLength(text);
  if (every !== null) return every;
  throw usageError(`${name} is "${text}"; it must be a number of days or months such as 7d or 1mo.`);
}

/** A century at most: more is a typing error. */
function parseDays(name: string, text: string): number {
  return parseWhole(name, text, 1, 36_525);
}

/** 32 bytes in Base64: 43 characters and one of padding. */
function parseKey(name: string, text: string): string {
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) return text;
  throw usageError(`${name} must be 32 random bytes in base64, as "openssl rand -base64 32" prints them.`);
}

/** A tile URL template: browsers replace {z}, {x} and {y} with the numbers of a tile. */
function parseMapTilesUrl(name: string, text: string): string {
  const hasPlaces = ['{z}', '{x}', '{y}'].every((place) => text.includes(place));
  const isSafe =
    /^[\w\-.~:/?#[\]@!$&()*+,;=%{}]+$/.test(text) && !/[{}]/.test(text.replaceAll(/\{[zxy]\}/g, ''));
  // The host becomes part of the Content-Security-Policy of the console, so it must not contain a
  // placeholder.
  if (isWebAddress(text) && hasPlaces && isSafe && !new URL(text).host.includes('{')) return text;
  throw usageError(
    `${name} is "${text}"; it must be a URL of map tiles with {z}, {x} and {y} after its host, such as https://tiles.example/{z}/{x}/{y}.png.`,
  );
}

/** The message does not repeat the URL, which can contain a key. */
function parseWebAddress(name: string, text: string): string {
  if (isWebAddress(text)) return text;
  throw usageError(`${name} must be an http:// or https:// URL such as https://service.example/search.`);
}

/** Plain HTTP shows the code of a sign-in to everyone on the way, so it is for the operator's own network only. */
function parseOidc(name: string, { issuer, clientId, publicUrl, ...others }: PartialOidc): OidcSetting {
  if (!isWebAddress(issuer) || (issuer.startsWith('http:') && others.allowCidrs.length === 0)) {
    throw usageError(
      `${name} must be an https:// URL such as https://login.example.com, or http:// together with OIDC_ALLOW_CIDRS.`,
    );
  }
  if (clientId === null)
    throw usageError(`${name} needs OIDC_CLIENT_ID: the id that the provider gave this service.`);
  if (publicUrl === null) {
    throw usageError(
      `${name} needs PUBLIC_URL: the address of this service, to which the provider sends users back.`,
    );
  }
  return { issuer, clientId, publicUrl, ...others };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The name on a button. */
function parseShortText(name: string, text: string): string {
  if (text.length <= 40 && !/\p{C}/u.test(text)) return text;
  throw usageError(`${name} must be at most 40 characters in one line.`);
}

function parseRanges(name: string, text: string): readonly string[] {
  const ranges = text
    .split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '');
  const wrong = ranges.find((range) => !isAddressOrRange(range));
  if (wrong === undefined) return ranges;
  throw usageError(
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
  throw usageError(`${name} is "${text}"; it must be a whole number from ${least} to ${most}.`);
}

function parseShare(name: string, text: string): number {
  const share = Number(text);
  if (text !== '' && share >= 0 && share <= 1) return share;
  throw usageError(`${name} is "${text}"; it must be a share from 0 to 1, such as 0.1.`);
}

function parseOneOf<const T extends string>(name: string, text: string, values: readonly T[]): T {
  const value = values.find((candidate) => candidate === text);
  if (value !== undefined) return value;
  throw usageError(`${name} is "${text}"; it must be one of ${values.join(', ')}.`);
}
