import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { constrainedMemory } from 'node:process';
import { stepLengthText, type StepLength } from './domain/step-length.ts';
import { usageError } from './errors.ts';
import {
  isPlainHttp,
  isWebAddress,
  parseDatabaseUrl,
  parseDays,
  parseEvery,
  parseKey,
  parseMapTilesUrl,
  parseOneOf,
  parseRanges,
  parseShare,
  parseShortText,
  parseWebAddress,
  parseWhole,
} from './setting-values.ts';

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
  /** Longest time for a response that is not streamed. Less than connections may be idle (src/api/build-server.ts). */
  readonly responseSeconds: number;
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
  /** Where files of sweeps are kept; null = they are written from the database for each reader. */
  readonly objectStore: ObjectStoreSetting | null;
}

/** A bucket with the API of Amazon S3. */
export interface ObjectStoreSetting {
  readonly bucket: string;
  /** Before the name of every object: empty, or ends with a slash. */
  readonly prefix: string;
  /** Null: Amazon S3 in the region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken: string | null;
  /** Private address ranges that it may be in. */
  readonly allowCidrs: readonly string[];
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

/** The settings of object storage before it is known that none is missing. */
type PartialObjectStore = Omit<
  ObjectStoreSetting,
  'bucket' | 'prefix' | 'accessKeyId' | 'secretAccessKey'
> & {
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
};

/** Every setting, in the order of docs/operations/settings.md. A secret is printed as "(set)". */
export const SETTINGS: readonly Setting[] = [
  { name: 'PLUMBLINE_DATA', fallback: './data', shown: (config) => config.dataDir },
  { name: 'DATABASE_URL', fallback: '', shown: (config) => config.databaseUrl, isSecret: true },
  { name: 'HOST', fallback: '127.0.0.1', shown: (config) => config.host },
  { name: 'PORT', fallback: '8080', shown: (config) => config.port },
  { name: 'MAX_CONNECTIONS', fallback: '1000', shown: (config) => config.maxConnections },
  { name: 'RESPONSE_SECONDS', fallback: '10', shown: (config) => config.responseSeconds },
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
  { name: 'OBJECT_STORE', fallback: '', shown: ({ objectStore }) => objectStore && locationOf(objectStore) },
  { name: 'OBJECT_STORE_ALLOW_CIDRS', fallback: '', shown: (config) => config.objectStore?.allowCidrs },
  { name: 'AWS_ENDPOINT_URL_S3', fallback: '', shown: (config) => config.objectStore?.endpoint },
  { name: 'AWS_REGION', fallback: 'us-east-1', shown: (config) => config.objectStore?.region },
  { name: 'AWS_ACCESS_KEY_ID', fallback: '', shown: (config) => config.objectStore?.accessKeyId },
  {
    name: 'AWS_SECRET_ACCESS_KEY',
    fallback: '',
    shown: (config) => config.objectStore?.secretAccessKey,
    isSecret: true,
  },
  {
    name: 'AWS_SESSION_TOKEN',
    fallback: '',
    shown: (config) => config.objectStore?.sessionToken,
    isSecret: true,
  },
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
  const objectStore = {
    endpoint: optional('AWS_ENDPOINT_URL_S3', parseWebAddress),
    region: text('AWS_REGION'),
    accessKeyId: optional('AWS_ACCESS_KEY_ID', asIs),
    secretAccessKey: optional('AWS_SECRET_ACCESS_KEY', asIs),
    sessionToken: optional('AWS_SESSION_TOKEN', asIs),
    allowCidrs: ranges('OBJECT_STORE_ALLOW_CIDRS'),
  };
  return {
    dataDir: resolve(text('PLUMBLINE_DATA')),
    databaseUrl: optional('DATABASE_URL', parseDatabaseUrl),
    host: text('HOST'),
    port: whole('PORT', 0, 65_535),
    maxConnections: whole('MAX_CONNECTIONS', 1, 100_000),
    responseSeconds: whole('RESPONSE_SECONDS', 1, 25),
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
    objectStore: optional('OBJECT_STORE', (name, url) => parseObjectStore(name, url, objectStore)),
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

/** Plain HTTP shows the code of a sign-in to everyone on the way, so it is for the operator's own network only. */
function parseOidc(name: string, { issuer, clientId, publicUrl, ...others }: PartialOidc): OidcSetting {
  if (!isWebAddress(issuer) || (isPlainHttp(issuer) && others.allowCidrs.length === 0)) {
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

/** The URL of the place for all objects, such as `s3://bucket/prefix`. */
export function locationOf({ bucket, prefix }: Pick<ObjectStoreSetting, 'bucket' | 'prefix'>): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, '');
}

/** Names of buckets are host names; prefixes have characters that need no encoding. */
const OBJECT_STORE_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/;

/** Plain HTTP shows the files to everyone on the way, so it is for the operator's own network only. */
function parseObjectStore(
  name: string,
  text: string,
  { accessKeyId, secretAccessKey, ...others }: PartialObjectStore,
): ObjectStoreSetting {
  const [, bucket, path = ''] = OBJECT_STORE_URL.exec(text) ?? [];
  if (bucket === undefined) {
    throw usageError(`${name} is "${text}"; it must be s3://BUCKET or s3://BUCKET/PREFIX.`);
  }
  if (accessKeyId === null || secretAccessKey === null) {
    throw usageError(
      `${name} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: a key that may read, write and delete objects there.`,
    );
  }
  if (others.endpoint !== null && isPlainHttp(others.endpoint) && others.allowCidrs.length === 0) {
    throw usageError(
      `${name}: AWS_ENDPOINT_URL_S3 must be an https:// URL, or http:// together with OBJECT_STORE_ALLOW_CIDRS.`,
    );
  }
  const prefix = path === '' ? '' : `${path.slice(1)}/`;
  return { bucket, prefix, accessKeyId, secretAccessKey, ...others };
}
