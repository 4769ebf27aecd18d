import type { FastifyRequest } from 'fastify';
import type { AuthenticatedCaller } from '../accounts/authenticate.ts';
import type { Session } from '../accounts/sessions.ts';
import { PlumblineError } from '../errors.ts';
import type { RequestSpan } from '../tracing.ts';
import { isRecord } from '../domain/json.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null before authentication and on public routes. */
    caller: AuthenticatedCaller | null;
    /** The signed-in user's session; null except on console routes. */
    session: Session | null;
    /** Its span; null before its headers are read. */
    span: RequestSpan | null;
    /** Credits charged, for the log line. */
    creditsCharged: number;
    /** Digest of the body bytes if the route starts a job; empty otherwise. */
    bodySha256: string;
  }

  interface FastifyContextConfig {
    /** Maximum number of object members in a body. */
    readonly keysMax?: number;
    readonly startsJob?: boolean;
    /** The base path of the API operations, as seen by this request. */
    readonly base?: string;
  }
}

/** The base path of the API for programs. */
export const API_BASE = '/v1';

/** The base path of the console's own API, which is not documented for programs. */
export const CONSOLE_API = '/console/api';

/** The base path for links in a response: that of the API, or that of the console. */
export function baseOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.config.base ?? API_BASE;
}

/** The caller. Only routes that authorize by key may call this. */
export function admittedCaller({ caller }: FastifyRequest): AuthenticatedCaller {
  if (!caller) throw new PlumblineError('internal_error', 'an operation was reached without a caller');
  return caller;
}

/** The signed-in user's session. Only routes that authorize by session may call this. */
export function admittedSession({ session }: FastifyRequest): Session {
  if (!session) throw new PlumblineError('internal_error', 'a console route was reached without a session');
  return session;
}

/** The account and key that an operation runs for. */
export function callerOf(request: FastifyRequest): { accountId: string; keyId: string } {
  const { accountId, keyId } = admittedCaller(request);
  return { accountId, keyId };
}

/** A `{name}` of the route's path. */
export function pathParameter({ params }: FastifyRequest, name: string): string {
  const value: unknown = isRecord(params) ? params[name] : undefined;
  return typeof value === 'string' ? value : '';
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The id in the route's path. Text of another form never reaches the database: it gets a 404 with the message
 * `missing`, like an unknown id.
 */
export function idParameter(
  request: FastifyRequest,
  missing: string,
  { name = 'id', form = UUID }: { readonly name?: string; readonly form?: RegExp } = {},
): string {
  const id = pathParameter(request, name);
  if (form.test(id)) return form === UUID ? id.toLowerCase() : id;
  throw new PlumblineError('not_found', missing);
}

/** A request header as text. If the header is repeated, its first value counts. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** A dry run validates the request and returns what it would cost. */
export function isDryRun({ headers }: FastifyRequest): boolean {
  return headerText(headers['x-dry-run'])?.trim().toLowerCase() === 'true';
}

/** Throws 406 and 415, which depend only on the headers. */
export function negotiate({ headers }: FastifyRequest, responseTypes: readonly string[]): void {
  const encoding = headerText(headers['content-encoding']);
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new PlumblineError(
      'unsupported_media_type',
      'Compressed request bodies are not accepted. Send the JSON as it is.',
    );
  }
  const accept = headerText(headers.accept);
  if (accept !== undefined && !responseTypes.some((type) => accepts(accept, type))) {
    throw new PlumblineError('not_acceptable', `This operation returns ${responseTypes.join(' or ')} only.`);
  }
}

/** Whether a caller names a type with a higher quality than the usual one. */
export function prefers({ headers }: FastifyRequest, type: string, usual = 'application/json'): boolean {
  const ranges = acceptedRanges(headerText(headers.accept) ?? '');
  const ratingOf = (exactly: string): number =>
    Math.max(0, ...ranges.filter(({ name }) => name === exactly).map(({ rating }) => rating));
  return ratingOf(type) > ratingOf(usual);
}

/** Whether an Accept header allows a media type. The most specific range that matches decides; `q=0` excludes. */
function accepts(accept: string, type: string): boolean {
  if (accept.trim() === '') return true;
  const ranges = acceptedRanges(accept);
  const matching = [type, `${type.split('/', 1)[0]}/*`, '*/*'].map((range) =>
    ranges.filter(({ name }) => name === range),
  );
  return matching.find(({ length }) => length > 0)?.some(({ rating }) => rating > 0) ?? false;
}

/** The ranges of an Accept header. Ratings are 0 to 1; 0 excludes a type. */
function acceptedRanges(accept: string): { readonly name: string; readonly rating: number }[] {
  return accept.split(',').map((range) => {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const [, quality = '1'] = parameters.map((one) => /^q=([01](?:\.\d*)?)$/.exec(one)).find(Boolean) ?? [];
    return { name, rating: Number(quality) };
  });
}
