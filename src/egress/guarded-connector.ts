import { connect, isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressRule } from './address-rule.ts';
import { allowedAddresses, RejectedAddressError, type Resolve } from './allowed-addresses.ts';
import { hostOf, portOf, addressRejection } from './outbound-url.ts';

/** From the DNS lookup to an open socket, and again for the TLS handshake. */
const CONNECT_MS = 5000;

/** Opens a socket like `net.connect`: the name is resolved once, by the given `lookup`. */
export type OpenSocket = (options: TcpNetConnectOpts) => Socket;

export interface ConnectorOptions {
  readonly rule: AddressRule;
  readonly resolve: Resolve;
  readonly signal: AbortSignal;
  readonly openSocket?: OpenSocket;
}

/**
 * A connector for undici that connects only to addresses that the rule allows. An address in the URL is
 * checked here, because sockets resolve only names. The addresses of a name are checked in the one lookup
 * that the socket then uses, so a second lookup cannot differ. The remote address is checked again before the
 * first byte, TLS handshake included.
 */
export function guardedConnector({ rule, resolve, signal, openSocket = connect }: ConnectorOptions) {
  const secure = buildConnector({ allowH2: false, maxCachedSessions: 0, timeout: CONNECT_MS });
  return (options: buildConnector.Options, callback: buildConnector.Callback): void => {
    const host = hostOf(options.hostname);
    const port = portOf(options);
    if (isIP(host) !== 0 && !rule.mayConnect(host, port)) {
      queueMicrotask(() => callback(new RejectedAddressError(addressRejection(host)), null));
      return;
    }
    const settle = once(callback);
    const lookup = guardedLookup(rule, port, resolve);
    const socket = openSocket({ host, port, lookup, signal, autoSelectFamily: true, noDelay: true });
    socket.once('error', (error) => settle(error, null));
    socket.setTimeout(CONNECT_MS, () => socket.destroy(timeoutError(host)));
    socket.once('connect', () => {
      socket.setTimeout(0);
      if (!rule.mayConnect(socket.remoteAddress ?? '', port)) {
        socket.destroy(new RejectedAddressError(addressRejection(host)));
        return;
      }
      if (options.protocol === 'https:') secure({ ...options, httpSocket: socket }, settle);
      else settle(null, socket);
    });
  };
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

/** Calls the callback only once. An error after the socket opened belongs to the request, not to the connector. */
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
