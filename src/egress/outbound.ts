import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { Client, errors, type Dispatcher } from 'undici';
import { addressRule } from './address-rule.ts';
import {
  allowedAddresses,
  guardedConnector,
  RejectedAddressError,
  type OpenSocket,
  type Resolve,
} from './guarded-connector.ts';
import { hostOf, parseOutboundUrl, portOf, type UrlRule } from './outbound-url.ts';

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_MAX_BYTES = 65_536;
/** Larger response headers are rejected: no receiver needs them. */
const MAX_HEADER_BYTES = 16_384;
const USER_AGENT = 'plumbline';

export interface OutboundOptions {
  /** Non-public ranges that are allowed, on any port: the operator's own network. */
  readonly allowCidrs: readonly string[];
  readonly allowHttp: boolean;
  /** Replaces the system's DNS lookup in tests. */
  readonly resolve?: Resolve;
  /** Replaces `net.connect` in tests. */
  readonly openSocket?: OpenSocket;
}

export interface OutboundRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
  /** From the DNS lookup to the last byte of the response. */
  readonly timeoutMs?: number;
  /** Maximum bytes of the response body to read. */
  readonly maxBytes?: number;
}

/** The response, whatever its status: redirects are not followed. */
export interface OutboundResponse {
  readonly outcome: 'answered';
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** Whether the body continued after `maxBytes`. */
  readonly isTruncated: boolean;
}

/** Rejected by the guard, unreachable, or too late. `detail` is a sentence. */
export interface OutboundFailure {
  readonly outcome: 'rejected' | 'unreachable' | 'timeout';
  readonly detail: string;
}

export interface Outbound {
  /**
   * Why a URL would be rejected now, including a DNS lookup; null if it would not. Check this before storing
   * a URL.
   */
  readonly rejectionOf: (url: string) => Promise<string | null>;
  readonly request: (url: string, request?: OutboundRequest) => Promise<OutboundResponse | OutboundFailure>;
}

/**
 * A client for outside calls, each on its own connection: nothing is shared between callers, and every call
 * passes the guard. No redirects, cookies, decompression or proxies.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const rule: UrlRule = { ...addressRule(options.allowCidrs), allowHttp: options.allowHttp };
  const resolve = options.resolve ?? ((host) => lookup(host, { all: true }));
  return {
    rejectionOf: (url) => rejectionOf(rule, resolve, url),
    async request(text, request = {}) {
      const parsed = parseOutboundUrl(text, rule);
      if (parsed.rejection !== null) return { outcome: 'rejected', detail: parsed.rejection };
      const { url } = parsed;
      const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
      const signal = AbortSignal.timeout(timeoutMs);
      const client = new Client(url.origin, {
        connect: guardedConnector({ rule, resolve, signal, openSocket: options.openSocket }),
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        maxHeaderSize: MAX_HEADER_BYTES,
      });
      try {
        return await ask(client, url, request, signal);
      } catch (error) {
        return failureOf(error, url, timeoutMs, signal);
      } finally {
        await client.destroy();
      }
    },
  };
}

async function rejectionOf(rule: UrlRule, resolve: Resolve, text: string): Promise<string | null> {
  const parsed = parseOutboundUrl(text, rule);
  if (parsed.rejection !== null) return parsed.rejection;
  const host = hostOf(parsed.url.hostname);
  if (isIP(host) !== 0) return null;
  try {
    await allowedAddresses(rule, host, portOf(parsed.url), resolve);
    return null;
  } catch (error) {
    if (error instanceof RejectedAddressError) return error.message;
    if (codeOf(error) === null) throw error;
    return `The name ${host} cannot be looked up.`;
  }
}

async function ask(
  client: Client,
  url: URL,
  { method = 'GET', headers = {}, body, maxBytes = DEFAULT_MAX_BYTES }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const response = await client.request({
    path: url.pathname + url.search,
    method,
    headers: { 'user-agent': USER_AGENT, ...headers },
    body: body ?? null,
    reset: true,
    signal,
  });
  const { bytes, isTruncated } = await readUpTo(response.body, maxBytes);
  const { statusCode: status, headers: received } = response;
  return { outcome: 'answered', status, headers: received, body: bytes, isTruncated };
}

async function readUpTo(
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
): Promise<{ bytes: Uint8Array; isTruncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let count = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('A body without an encoding came as text.');
    chunks.push(chunk.subarray(0, maxBytes - count));
    count += chunk.length;
    if (count > maxBytes) return { bytes: Buffer.concat(chunks), isTruncated: true };
  }
  return { bytes: Buffer.concat(chunks), isTruncated: false };
}

/** Turns network errors into an outcome; anything else is a bug and is thrown again. */
function failureOf(error: unknown, url: URL, timeoutMs: number, signal: AbortSignal): OutboundFailure {
  if (error instanceof RejectedAddressError) return { outcome: 'rejected', detail: error.message };
  const code = codeOf(error);
  if (signal.aborted || code === 'ETIMEDOUT' || code?.endsWith('_TIMEOUT')) {
    return { outcome: 'timeout', detail: `${url.host} did not respond within ${timeoutMs / 1000} s.` };
  }
  if (code === null) throw error;
  return { outcome: 'unreachable', detail: `${url.host} could not be reached (${code}).` };
}

/** The code of a network, TLS or undici error; null for any other error, including wrong arguments. */
function codeOf(error: unknown): string | null {
  if (error instanceof errors.HTTPParserError) return error.code ?? 'HPE_NO_HTTP';
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return null;
  const code = 'code' in error ? error.code : null;
  return typeof code === 'string' && code !== 'UND_ERR_INVALID_ARG' ? code : null;
}
