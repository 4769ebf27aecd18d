import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';

/** How often each node's readiness is polled: well below the 3 s for which a stopping node still serves. */
const POLL_MS = 250;
const READY_WITHIN_MS = 1000;

/**
 * A load balancer as operators use it: round-robin over the ready nodes. It retries once on another node if
 * the connection breaks before a response begins or the response is 503, as nginx's proxy_next_upstream does.
 */
export interface Balancer {
  readonly url: string;
  readonly add: (nodeUrl: string) => Promise<void>;
  readonly remove: (nodeUrl: string) => void;
  readonly retries: () => number;
  readonly close: () => void;
}

interface Node {
  readonly url: string;
  isReady: boolean;
}

export async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const nodes: Node[] = [];
  let turn = 0;
  let retries = 0;

  const next = (but: Node | null): Node | null => {
    const ready = nodes.filter((node) => node.isReady && node !== but);
    return ready.length === 0 ? null : ready[turn++ % ready.length];
  };
  const forward = (node: Node, asked: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method, url, headers } = asked;
      const call = ask(new URL(url ?? '/', node.url), { method, headers, agent }, resolve);
      call.on('error', reject);
      call.end(body);
    });
  const serve = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const body = await buffer(asked);
    let failed: Node | null = null;
    for (;;) {
      const node = next(failed);
      if (node === null) return void answer.writeHead(502).end('{"code":"no_node"}');
      try {
        const found = await forward(node, asked, body);
        if (found.statusCode === 503 && failed === null && next(node) !== null) {
          found.resume();
          failed = node;
          retries++;
          continue;
        }
        answer.writeHead(found.statusCode ?? 502, found.headers);
        return void found.on('error', () => answer.destroy()).pipe(answer);
      } catch {
        node.isReady = false;
        if (failed !== null) return void answer.writeHead(502).end('{"code":"two_nodes_failed"}');
        failed = node;
        retries++;
      }
    }
  };
  const judge = async (node: Node): Promise<void> => {
    const signal = AbortSignal.timeout(READY_WITHIN_MS);
    const status = await fetch(`${node.url}/readyz`, { signal }).then(
      async (response) => (await response.text(), response.status),
      () => 0,
    );
    node.isReady = status === 200;
  };
  const polling = setInterval(() => nodes.forEach((node) => void judge(node)), POLL_MS);
  const server = createServer((asked, answer) => void serve(asked, answer)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A server on loopback has a port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    retries: () => retries,
    add: async (url) => {
      const node = { url, isReady: false };
      nodes.push(node);
      while (!node.isReady) {
        await judge(node);
        await sleep(20);
      }
    },
    remove: (url) => {
      const at = nodes.findIndex((node) => node.url === url);
      if (at >= 0) nodes.splice(at, 1);
    },
    close: () => {
      clearInterval(polling);
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}
