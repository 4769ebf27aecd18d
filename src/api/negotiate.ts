import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlumblineError } from '../errors.ts';
import { headerText } from './request-context.ts';

/** 406 and 415 that the headers alone decide. */
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
    throw new PlumblineError('not_acceptable', `This operation answers ${responseTypes.join(' or ')} only.`);
  }
}

/** Whether a caller would rather have another type than JSON: it is named, and JSON is not rated as high by name. */
export function prefersToJson(request: FastifyRequest, type: string): boolean {
  const ranges = acceptedRanges(headerText(request.headers.accept) ?? '');
  const rating = ratingOf(ranges, type);
  return rating > 0 && rating > ratingOf(ranges, 'application/json');
}

interface AcceptedRange {
  readonly name: string;
  /** 0..1; 0 shuts it out. */
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

/** Whether an Accept header lets a media type through; `q=0` shuts it out. */
function accepts(accept: string, type: string): boolean {
  if (accept.trim() === '') return true;
  const names = [type, `${type.split('/', 1)[0]}/*`, '*/*'];
  return acceptedRanges(accept).some(({ name, rating }) => rating > 0 && names.includes(name));
}

/** Whether a caller asked with `Prefer: handling=strict` (RFC 7240); the answer then says so. */
export function wantsStrict(request: FastifyRequest, reply: FastifyReply): boolean {
  const prefer = [request.headers.prefer ?? []].flat().join(',');
  const isStrict = prefer.split(/[,;]/).some((part) => /^\s*handling\s*=\s*"?strict"?\s*$/i.test(part));
  if (isStrict) reply.header('preference-applied', 'handling=strict');
  return isStrict;
}
