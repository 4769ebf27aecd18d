import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { addressRule } from './address-rule.ts';
import { allowedAddresses, RejectedAddressError, type Resolve } from './allowed-addresses.ts';
import type { OpenSocket } from './guarded-connector.ts';
import type { Outbound, OutboundFailure } from './outbound-call.ts';
import { hostOf, parseOutboundUrl, portOf, type UrlRule } from './outbound-url.ts';

const DEFAULT_TIMEOUT_MS = 15_000;
export interface OutboundOptions {
  /** Non-public ranges that are allowed, on any port: the operator's own network. */
  readonly allowCidrs: readonly string[];
  readonly allowHttp: boolean;
  /** Replaces the system's DNS lookup in tests. */
  readonly resolve?: Resolve;
  /** Replaces `net.connect` in tests. */
  readonly openSocket?: OpenSocket;
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
      // Loaded by the first call: most servers make none, and its library takes 20 MB.
      const { sendGuarded } = await import('./send-guarded.ts');
      const guard = { rule, resolve, signal, openSocket: options.openSocket };
      try {
        return await sendGuarded(url, request, guard, timeoutMs);
      } catch (error) {
        return failureOf(error, url, timeoutMs, signal);
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
    if (networkCodeOf(error) === null) throw error;
    return `The name ${host} cannot be looked up.`;
  }
}

/** Turns network errors into an outcome; anything else is a bug and is thrown again. */
function failureOf(error: unknown, url: URL, timeoutMs: number, signal: AbortSignal): OutboundFailure {
  if (error instanceof RejectedAddressError) return { outcome: 'rejected', detail: error.message };
  const code = networkCodeOf(error);
  if (signal.aborted || code === 'ETIMEDOUT' || code?.endsWith('_TIMEOUT')) {
    return { outcome: 'timeout', detail: `${url.host} did not respond within ${timeoutMs / 1000} s.` };
  }
  if (code === null) throw error;
  return { outcome: 'unreachable', detail: `${url.host} could not be reached (${code}).` };
}

/** The code of a network, TLS or undici error; null for any other error, including wrong arguments. */
export function networkCodeOf(error: unknown): string | null {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return null;
  const code = 'code' in error ? error.code : null;
  if (error.name === 'HTTPParserError') return typeof code === 'string' ? code : 'HPE_NO_HTTP';
  return typeof code === 'string' && code !== 'UND_ERR_INVALID_ARG' ? code : null;
}
