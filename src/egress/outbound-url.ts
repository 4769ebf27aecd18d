import { isIP } from 'node:net';
import type { AddressRule } from './address-rule.ts';

/** Longer URLs are rejected: no receiver needs them, and they are stored and logged. */
const MAX_CHARACTERS = 2048;

export interface UrlRule extends AddressRule {
  readonly allowHttp: boolean;
}

/** A URL that may be called, or the reason why not. */
type ParsedUrl = { readonly url: URL; readonly rejection: null } | { readonly rejection: string };

/**
 * Checks what the text of a URL shows: scheme, credentials, port, and an address instead of a name. WHATWG
 * parsing first turns 0x7f.1, 2130706433 and ①②⑦.0.0.1 into 127.0.0.1. The addresses of a name are checked
 * when connecting.
 */
export function parseOutboundUrl(text: string, rule: UrlRule): ParsedUrl {
  const reject = (rejection: string): ParsedUrl => ({ rejection });
  if (text.length > MAX_CHARACTERS) return reject(`The URL is longer than ${MAX_CHARACTERS} characters.`);
  if (!URL.canParse(text)) return reject('The URL is not valid; write it as https://host/path.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rule.allowHttp)) {
    return reject(`The URL must begin with https://${rule.allowHttp ? ' or http://' : ''}.`);
  }
  if (url.username !== '' || url.password !== '') {
    return reject('The URL must not contain a user name or password.');
  }
  const port = portOf(url);
  if (!rule.mayUsePort(port)) {
    return reject(`The URL's port ${port} is not allowed; use 80, 443, or 1024 or higher.`);
  }
  const host = hostOf(url.hostname);
  if (isIP(host) !== 0 && !rule.mayConnect(host, port)) return reject(addressRejection(host));
  return { url, rejection: null };
}

/** The port of the connection; URLs omit their scheme's default. */
export function portOf({ port, protocol }: { readonly port: string; readonly protocol: string }): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** A host as sockets expect it: IPv6 without brackets. */
export function hostOf(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

export function addressRejection(host: string): string {
  return `${host} is not a public address, or its port is not allowed. The operator can allow address ranges in the settings.`;
}
