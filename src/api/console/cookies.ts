import type { FastifyReply, FastifyRequest } from 'fastify';
import { DEVICE_KEPT_MS } from '../../accounts/sign-in-tries.ts';

/** `__Host-`: browsers take it only over HTTPS (or from this machine itself), for this very host and all its paths. */
const SESSION = '__Host-session';
const DEVICE = '__Host-device';
const TERMS = 'Path=/; Secure; HttpOnly';

/** The secret of the session that a browser is in; null where it holds none. */
export function sessionSecret(request: Pick<FastifyRequest, 'headers'>): string | null {
  return cookieOf(request, SESSION);
}

/** The secret by which a browser is known again; null where it holds none. It opens nothing. */
export function deviceSecret(request: Pick<FastifyRequest, 'headers'>): string | null {
  return cookieOf(request, DEVICE);
}

/** Lives as long as the browser does: the server ends it much sooner. */
export function setSessionCookie(reply: FastifyReply, secret: string): void {
  reply.header('set-cookie', `${SESSION}=${secret}; ${TERMS}; SameSite=Lax`);
}

/** Outlives the session, and is issued again with each. Only pages of this console send it. */
export function setDeviceCookie(reply: FastifyReply, secret: string): void {
  const seconds = DEVICE_KEPT_MS / 1000;
  reply.header('set-cookie', `${DEVICE}=${secret}; Max-Age=${seconds}; ${TERMS}; SameSite=Strict`);
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', `${SESSION}=; Max-Age=0; ${TERMS}; SameSite=Lax`);
}

function cookieOf({ headers }: Pick<FastifyRequest, 'headers'>, wanted: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.split('=', 2);
    if (name.trim() === wanted) return value.trim();
  }
  return null;
}
