import { isIP, Socket, type TcpNetConnectOpts } from 'node:net';
import type { Resolve } from '../../../src/egress/allowed-addresses.ts';
import type { OpenSocket } from '../../../src/egress/guarded-connector.ts';
import { HOSTILE_NAMES, PUBLIC_NAMES } from './hostile-urls.ts';

/** A fake network: names resolve as in the corpus, and sockets record the address they would connect to. */
interface TestNetwork {
  readonly resolve: Resolve;
  readonly openSocket: OpenSocket;
  /** Every address that a socket was about to connect to, in order. */
  readonly connected: string[];
  /** Names looked up, in order. */
  readonly asked: string[];
}

export function testNetwork(answers: (host: string) => readonly string[] = namesOfCorpus): TestNetwork {
  const connected: string[] = [];
  const asked: string[] = [];
  const resolve: Resolve = async (host) => {
    asked.push(host);
    return answers(host).map((address) => ({ address, family: isIP(address) }));
  };
  return { resolve, openSocket: (options) => openTestSocket(options, connected), connected, asked };
}

/**
 * Does what `net.connect` does first: uses a literal address directly, or looks up the name and uses the
 * results.
 */
function openTestSocket(options: TcpNetConnectOpts, connected: string[]): Socket {
  const socket = new Socket();
  const { host = 'localhost', lookup } = options;
  const connectTo = (addresses: readonly string[]): void => {
    connected.push(...addresses);
    socket.destroy(Object.assign(new Error('No network in tests.'), { code: 'ENETUNREACH' }));
  };
  if (isIP(host) !== 0) queueMicrotask(() => connectTo([host]));
  else if (!lookup) throw new Error('A name was looked up by the system resolver.');
  else {
    lookup(host, { all: true }, (error, found) => {
      if (error) socket.destroy(error);
      else connectTo(typeof found === 'string' ? [found] : found.map(({ address }) => address));
    });
  }
  return socket;
}

function namesOfCorpus(host: string): readonly string[] {
  const addresses = HOSTILE_NAMES[host] ?? PUBLIC_NAMES[host];
  if (addresses) return addresses;
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
}
