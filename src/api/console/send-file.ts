import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { admittedCaller } from '../request-context.ts';
import { sendText, type LongText } from '../send-text.ts';
import type { ConsoleRequest } from './console-route.ts';

/** Streams a file of an operation for the browser to save, within the limits of the caller's plan. */
export function sendFile(
  { deps, request, reply }: ConsoleRequest<unknown>,
  { name, ...text }: Pick<LongText, 'type' | 'pieces'> & { readonly name: string },
): Promise<FastifyReply> {
  reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);
  return sendText(deps, reply, admittedCaller(request), { ...text, isLarge: true });
}

/** Sends a CSV file with a name of letters and digits. Operators have no limits of a plan. */
export function sendCsv(
  reply: FastifyReply,
  name: string,
  content: string | AsyncIterable<string>,
): FastifyReply {
  reply.header('content-disposition', `attachment; filename="${name}"`);
  const body = typeof content === 'string' ? content : Readable.from(content, { objectMode: false });
  return reply.type('text/csv; charset=utf-8').send(body);
}

/** Where the console shows a valuation. */
export function valuationLinks({ deps, request }: ConsoleRequest<unknown>): (valuationId: string) => string {
  const base = deps.config.publicUrl ?? `${request.protocol}://${request.host}`;
  return (valuationId) => `${base}/console/value?valuation=${valuationId}`;
}
