import { Client, type Dispatcher } from 'undici';
import { guardedConnector, type ConnectorOptions } from './guarded-connector.ts';
import type { OutboundRequest, OutboundResponse } from './outbound-call.ts';

const DEFAULT_MAX_BYTES = 65_536;
/** Larger response headers are rejected: no receiver needs them. */
const MAX_HEADER_BYTES = 16_384;
const USER_AGENT = 'plumbline';

/** Sends a request on a connection of its own that the guard checks. Rejects with the error of the network. */
export async function sendGuarded(
  url: URL,
  request: OutboundRequest,
  guard: ConnectorOptions,
  timeoutMs: number,
): Promise<OutboundResponse> {
  const client = guardedClient(url, guard, timeoutMs);
  try {
    return await send(client, url, request, guard.signal);
  } finally {
    await client.destroy();
  }
}

/** A client whose connections the guard checks. It waits for the next part of a response for `timeoutMs`. */
export function guardedClient(url: URL, guard: ConnectorOptions, timeoutMs: number): Client {
  return new Client(url.origin, {
    connect: guardedConnector(guard),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
}

async function send(
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
  return { outcome: 'responded', status, headers: received, body: bytes, isTruncated };
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
