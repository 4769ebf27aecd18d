import type { LookupAddress } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressRule } from './address-rule.ts';
import { hostOf, portOf, refusalOfAddress } from './outbound-url.ts';

/** From the first look-up to an open socket, and again for the TLS handshake. */
const CONNECT_MS = 5000;

/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Opens a socket as `net.connect` does: a name is looked up once, by the `lookup` given. */
export type OpenSocket = (options: TcpNetConnectOpts) => Socket;

/** The guard said no; the message is a sentence for the caller. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
}

export interface ConnectorOptions {
  readonly rule: AddressRule;
  readonly resolve: Resolve;
  readonly signal: AbortSignal;
  readonly openSocket?: OpenSocket;
}

/**
 * Connects for undici, to addresses that the rule allows and no other. An address in place of a name is checked
 * here because sockets look up names only; a name's addresses are checked in the one look-up whose answers the
 * socket then dials, so that a second answer cannot differ; the far end is checked again before the first byte,
 * the TLS handshake included.
 */
export function guardedConnector({ rule, resolve, signal, openSocket = connect }: ConnectorOptions) {
  const secure = buildConnector({ allowH2: false, maxCachedSessions: 0, timeout: CONNECT_MS });
  return (options: buildConnector.Options, callback: buildConnector.Callback): void => {
    const host = hostOf(options.hostname);
    const port = portOf(options);
    if (isIP(host) !== 0 && !rule.mayDial(host, port)) {
      queueMicrotask(() => callback(new RefusedAddressError(refusalOfAddress(host)), null));
      return;
    }
    const settle = once(callback);
    const lookup = guardedLookup(rule, port, resolve);
    const socket = openSocket({ host, port, lookup, signal, autoSelectFamily: true, noDelay: true });
    socket.once('error', (error) => settle(error, null));
    socket.setTimeout(CONNECT_MS, () => socket.destroy(timeoutError(host)));
    socket.once('connect', () => {
      socket.setTimeout(0);
      if (!rule.mayDial(socket.remoteAddress ?? '', port)) {
        socket.destroy(new RefusedAddressError(refusalOfAddress(host)));
        return;
      }
      if (options.protocol === 'https:') secure({ ...options, httpSocket: socket }, settle);
      else settle(null, socket);
    });
  };
}

/** The addresses of a name, when every one of them may be dialled. One that may not betrays the others. */
export async function allowedAddresses(
  rule: AddressRule,
  host: string,
  port: number,
  resolve: Resolve,
): Promise<readonly LookupAddress[]> {
  const addresses = await resolve(host);
  if (addresses.length === 0) throw new RefusedAddressError(`${host} has no address.`);
  if (!addresses.every(({ address }) => rule.mayDial(address, port))) {
    throw new RefusedAddressError(refusalOfAddress(host));
  }
  return addresses;
}

function guardedLookup(rule: AddressRule, port: number, resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    allowedAddresses(rule, host, port, resolve).then(
      (addresses) => {
        if (options.all) callback(null, [...addresses]);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: Error) => callback(error, []),
    );
  };
}

/** A socket that breaks later than it opened is the request's trouble, not the connector's. */
function once(callback: buildConnector.Callback): buildConnector.Callback {
  let isCalled = false;
  return (...outcome) => {
    if (isCalled) return;
    isCalled = true;
    callback(...outcome);
  };
}

function timeoutError(host: string): Error {
  return Object.assign(new Error(`No connection to ${host} within ${CONNECT_MS / 1000} s.`), {
    code: 'ETIMEDOUT',
  });
}
