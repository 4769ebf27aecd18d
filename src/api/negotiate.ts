import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlumblineError } from '../errors.ts';
import { headerText } from './request-context.ts';

/** Sends 406 and 415, which depend only on the headers. */
export function negotiate(request: FastifyRequest, responseTypes: readonly string[]): void {
  const encoding = headerText(request.headers['content-encoding']);
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new PlumblineError(
      'unsupported_media_type',
      'Compressed request bodies are not accepted. Send the JSON as it is.',
    );
  }
  const accept = headerText(request.headers.accept);
  if (accept !== undefined && !responseTypes.some((type) => accepts(accept, type))) {
    throw new PlumblineError('not_acceptable', `This operation returns ${responseTypes.join(' or ')} only.`);
  }
}

/**
 * Whether a caller prefers another type to JSON: the type is named, and JSON is not named with an equal or
 * higher quality.
 */
export function prefersToJson(request: FastifyRequest, type: string): boolean {
  const ranges = acceptedRanges(headerText(request.headers.accept) ?? '');
  const rating = ratingOf(ranges, type);
  return rating > 0 && rating > ratingOf(ranges, 'application/json');
}

interface AcceptedRange {
  readonly name: string;
  /** 0..1; 0 excludes it. */
  readonly rating: number;
}

function acceptedRanges(accept: string): AcceptedRange[] {
  return accept.split(',').map((range) => {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const [, quality = '1'] = parameters.map((one) => /^q=([01](?:\.\d*)?)$/.exec(one)).find(Boolean) ?? [];
    return { name, rating: Number(quality) };
  });
}

function ratingOf(ranges: readonly AcceptedRange[], exactly: string): number {
  return Math.max(0, ...ranges.filter(({ name }) => name === exactly).map(({ rating }) => rating));
}

/** Whether an Accept header allows a media type. `q=0` excludes it. */
function accepts(accept: string, type: string): boolean {
  if (accept.trim() === '') return true;
  const names = [type, `${type.split('/', 1)[0]}/*`, '*/*'];
  return acceptedRanges(accept).some(({ name, rating }) => rating > 0 && names.includes(name));
}

/** Whether a caller sent `Prefer: handling=strict` (RFC 7240). If so, the response confirms it. */
export function wantsStrict(request: FastifyRequest, reply: FastifyReply): boolean {
  const prefer = [request.headers.prefer ?? []].flat().join(',');
  const isStrict = prefer.split(/[,;]/).some((part) => /^\s*handling\s*=\s*"?strict"?\s*$/i.test(part));
  if (isStrict) reply.header('preference-applied', 'handling=strict');
  return isStrict;
}
