import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';

/** A call as a receiver saw it. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A loopback server that records the calls it gets. */
interface TestReceiver {
  readonly port: number;
  readonly received: Received[];
  readonly close: () => void;
}

/** Reads the whole call, records it, then responds in its own way. */
export async function startReceiver(answer: RequestListener): Promise<TestReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      answer(request, response);
    });
  });
  const port = await portOf(server.listen(0, '127.0.0.1'));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { port, received, close };
}

/** A raw TCP server for behavior that no HTTP server has. Each connection counts as a call. */
async function startSocketReceiver(meet: (socket: Socket) => void): Promise<TestReceiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    received.push({ headers: {}, body: Buffer.alloc(0) });
    meet(socket);
  });
  const port = await portOf(server.listen(0, '127.0.0.1'));
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port, received, close };
}

async function portOf(server: Server): Promise<number> {
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A server on loopback has a port.');
  return address.port;
}

/** Sends the response head at once, then one byte at a time, forever. */
const drip: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-length': '1000000' });
  const timer = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(timer));
};

const flood: RequestListener = (_request, response) => {
  response.writeHead(200);
  const block = Buffer.alloc(1 << 16, 'x');
  const pour = (): void => {
    while (!response.destroyed && response.write(block));
  };
  response.on('drain', pour);
  pour();
};

const withStatus =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end();
  };

const sends =
  (text: string, then: (socket: Socket) => void = () => {}) =>
  (socket: Socket): void => {
    socket.once('data', () => socket.write(text, () => then(socket)));
  };

/** A receiver's behavior and the expected outcome: the delivery state, and the number of attempts. */
interface ZooAnimal {
  readonly start: () => Promise<TestReceiver>;
  readonly ends: 'delivered' | 'failed';
  readonly attempts: 1 | 4;
  readonly scheme?: 'https';
  /** Only the timeout ends an attempt. */
  readonly hangs?: true;
}

const failing = (start: ZooAnimal['start']): ZooAnimal => ({ start, ends: 'failed', attempts: 4 });
const hanging = (start: ZooAnimal['start']): ZooAnimal => ({ ...failing(start), hangs: true });
const good = (start: ZooAnimal['start']): ZooAnimal => ({ start, ends: 'delivered', attempts: 1 });
const http = (answer: RequestListener) => () => startReceiver(answer);
const raw = (meet: (socket: Socket) => void) => () => startSocketReceiver(meet);
const METADATA = 'http://169.254.169.254/latest/meta-data/';

export const ZOO: Readonly<Record<string, ZooAnimal>> = {
  'never-answers': hanging(http(() => {})),
  'never-reads': hanging(raw((socket) => socket.pause())),
  'a-byte-at-a-time': hanging(http(drip)),
  'a-byte-of-head-at-a-time': hanging(
    raw((socket) => {
      const timer = setInterval(() => socket.write('H'), 20);
      socket.on('close', () => clearInterval(timer));
    }),
  ),
  resets: failing(raw((socket) => socket.resetAndDestroy())),
  'hangs-up': failing(raw((socket) => socket.end())),
  'hangs-up-in-the-head': failing(raw(sends('HTTP/1.1 200 O', (socket) => socket.destroy()))),
  'hangs-up-in-the-body': failing(
    raw(sends('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nx', (socket) => socket.destroy())),
  ),
  'speaks-nonsense': failing(raw(sends('HELLO\r\n\r\n'))),
  'bad-chunks': failing(raw(sends('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'))),
  'two-lengths': failing(raw(sends('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'))),
  'head-without-end': failing(raw(sends(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`))),
  'only-continues': hanging(raw(sends('HTTP/1.1 100 Continue\r\n\r\n'))),
  'switches-protocols': failing(
    raw(sends('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')),
  ),
  'no-tls': { ...failing(raw(sends('HTTP/1.1 200 OK\r\n\r\n'))), scheme: 'https' },
  'moved-301': failing(http(withStatus(301, { location: METADATA }))),
  'moved-302': failing(http(withStatus(302, { location: METADATA }))),
  'moved-303': failing(http(withStatus(303, { location: METADATA }))),
  'moved-307': failing(http(withStatus(307, { location: METADATA }))),
  'moved-308': failing(http(withStatus(308, { location: METADATA }))),
  'not-modified-304': failing(http(withStatus(304))),
  'bad-request-400': failing(http(withStatus(400))),
  'not-found-404': failing(http(withStatus(404))),
  'too-many-429': failing(http(withStatus(429, { 'retry-after': '1' }))),
  'broken-500': failing(http(withStatus(500))),
  'unavailable-503': failing(http(withStatus(503, { 'retry-after': 'soon' }))),
  'gone-410': { start: http(withStatus(410)), ends: 'failed', attempts: 1 },
  'no-content-204': good(http(withStatus(204))),
  'odd-2xx': good(http(withStatus(299))),
  'endless-body': good(http(flood)),
  'zipped-bomb': good(
    http((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(1 << 20, 'x'));
    }),
  ),
};
