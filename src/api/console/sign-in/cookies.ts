import type { FastifyReply, FastifyRequest } from 'fastify';
import { PENDING_MS } from '../../../accounts/provider-sign-in.ts';
import { DEVICE_KEPT_MS } from '../../../accounts/sign-in-attempts.ts';

/** Browsers accept `__Host-` cookies only over HTTPS (or from localhost), for this host and all its paths. */
const SESSION = '__Host-session';
const DEVICE = '__Host-device';
const PENDING = '__Host-sign-in';
const TERMS = 'Path=/; Secure; HttpOnly';

/** The secret of the browser's session, or null. */
export function sessionSecret({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  return cookieOf(headers.cookie, SESSION);
}

/** The secret that identifies a known browser, or null. It authorizes nothing. */
export function deviceSecret({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  return cookieOf(headers.cookie, DEVICE);
}

/** It lasts as long as the browser runs. The server ends the session much sooner. */
export function setSessionCookie(reply: FastifyReply, secret: string): void {
  reply.header('set-cookie', `${SESSION}=${secret}; ${TERMS}; SameSite=Lax`);
}

/** It outlives the session, and is renewed with each. Only pages of the console send it. */
export function setDeviceCookie(reply: FastifyReply, secret: string): void {
  const seconds = DEVICE_KEPT_MS / 1000;
  reply.header('set-cookie', `${DEVICE}=${secret}; Max-Age=${seconds}; ${TERMS}; SameSite=Strict`);
}

/** The started sign-in by the identity provider, sealed, or null. */
export function pendingSignIn({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  return cookieOf(headers.cookie, PENDING);
}

/** Lax, because the provider's page sends the browser back. */
export function setPendingCookie(reply: FastifyReply, sealed: string): void {
  reply.header('set-cookie', `${PENDING}=${sealed}; Max-Age=${PENDING_MS / 1000}; ${TERMS}; SameSite=Lax`);
}

export function clearPendingCookie(reply: FastifyReply): void {
  reply.header('set-cookie', `${PENDING}=; Max-Age=0; ${TERMS}; SameSite=Lax`);
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', `${SESSION}=; Max-Age=0; ${TERMS}; SameSite=Lax`);
}

function cookieOf(cookies: string | undefined, wanted: string): string | null {
  for (const pair of (cookies ?? '').split(';')) {
    const [name, value = ''] = pair.split('=', 2);
    if (name.trim() === wanted) return value.trim();
  }
  return null;
}
