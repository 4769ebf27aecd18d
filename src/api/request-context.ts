import type { FastifyRequest } from 'fastify';
import type { Caller } from '../accounts/authenticate.ts';
import type { Session } from '../accounts/sessions.ts';
import { PlumblineError } from '../errors.ts';
import { isPlainObject } from './request/object-schema.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null before authentication and on public routes. */
    caller: Caller | null;
    /** The signed-in user's session; null except on console routes. */
    session: Session | null;
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

/** Request headers that the API reads, as text. If a header is repeated, its first value counts. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** The base path of the API for programs. */
export const API_BASE = '/v1';

/**
 * The base path for links to other operations in a response: that of the request, either the API or the
 * console.
 */
export function baseOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.config.base ?? API_BASE;
}

/** The caller. Only routes that authorize by key may call this. */
export function admittedCaller({ caller }: FastifyRequest): Caller {
  if (!caller) throw new PlumblineError('internal_error', 'an operation was reached without a caller');
  return caller;
}

/** The signed-in user's session. Only routes that authorize by session may call this. */
export function admittedSession({ session }: FastifyRequest): Session {
  if (!session)
    throw new PlumblineError('internal_error', 'a page of the console was reached without a session');
  return session;
}

/** The account and key that an operation runs for. */
export function callerOf(request: FastifyRequest): { accountId: string; keyId: string } {
  const { accountId, keyId } = admittedCaller(request);
  return { accountId, keyId };
}

/** A `{name}` of the route's path. */
export function pathParameter(request: FastifyRequest, name: string): string {
  const { params } = request;
  const value: unknown = isPlainObject(params) ? params[name] : undefined;
  return typeof value === 'string' ? value : '';
}
