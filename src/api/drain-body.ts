import type { FastifyReply, FastifyRequest } from 'fastify';

/** Bytes of a rejected body that are read and discarded; the largest accepted body has 5 MiB. */
const DRAINED_BYTES_MAX = 8 * 1024 * 1024;
const DRAIN_MS_MAX = 5000;

/**
 * Reads and discards what is left of the body of a rejected request. A client such as Node's `fetch` writes its whole
 * body before it reads the response: if the server hung up at once, the write would fail with EPIPE and the client would
 * never see the 413. After 8 MiB or 5 s the connection is cut.
 */
export function drainBody(request: FastifyRequest, reply: FastifyReply): void {
  const body = request.raw;
  if (body.complete || !hasBody(request)) return;
  // Fastify asks for the connection to be closed after the response, which would cut the client off while it writes.
  reply.removeHeader('connection');
  let drainedBytes = 0;
  const cut = (): void => void body.destroy();
  const timer = setTimeout(cut, DRAIN_MS_MAX);
  timer.unref();
  body.on('data', (chunk: Buffer) => {
    drainedBytes += chunk.length;
    if (drainedBytes > DRAINED_BYTES_MAX) cut();
  });
  // A client that hangs up meanwhile has ended the request itself.
  body.on('error', cut);
  body.on('close', () => clearTimeout(timer));
  body.on('end', () => clearTimeout(timer));
  body.resume();
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
