import type { FastifyRequest } from 'fastify';
import type { Caller } from '../accounts/authenticate.ts';
import type { Session } from '../accounts/sessions.ts';
import { PlumblineError } from '../errors.ts';
import { isPlainObject } from './request/object-schema.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null before authentication and on public routes. */
    caller: Caller | null;
    /** Who is signed in; null but on routes of the console. */
    session: Session | null;
    /** What the answer cost, for the log line. */
    creditsCharged: number;
    /** Of the bytes of the body, where the route starts a job; empty elsewhere. */
    bodySha256: string;
  }

  interface FastifyContextConfig {
    /** Object members that a body may have. */
    readonly keysMax?: number;
    readonly startsJob?: boolean;
    /** Under which the operations of the API stand, as this one is asked. */
    readonly base?: string;
  }
}

/** Headers of a request that the API reads, as text; a header given twice counts as its first value. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Under which programs find the API. */
export const API_BASE = '/v1';

/** Under which the answer names other operations: where this one was asked, by a key or in the console. */
export function baseOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.config.base ?? API_BASE;
}

/** Who asks. Only routes that admit by key reach what needs it. */
export function admittedCaller({ caller }: FastifyRequest): Caller {
  if (!caller) throw new PlumblineError('internal_error', 'an operation was reached without a caller');
  return caller;
}

/** Who is signed in. Only routes that admit by session reach what needs it. */
export function admittedSession({ session }: FastifyRequest): Session {
  if (!session)
    throw new PlumblineError('internal_error', 'a page of the console was reached without a session');
  return session;
}

/** On whose behalf an operation runs. */
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
