/**
 * A bare Node server for comparison: it reads a JSON body, returns one of the given size, and does nothing
 * else.
 *
 *   node bench/speed/echo-server.ts RESPONSE_BYTES PORT
 */
import { createServer } from 'node:http';

const [responseBytes, port] = process.argv.slice(2).map(Number);
const body = JSON.stringify({ echo: 'x'.repeat(Math.max(0, responseBytes - 11)) });

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    response.setHeader('content-type', 'application/json');
    response.end(body);
  });
}).listen(port, '127.0.0.1');
