import type { FastifyReply, FastifyRequest } from 'fastify';

/** `__Host-`: browsers take it only over HTTPS (or from this machine itself), for this very host and all its paths. */
const NAME = '__Host-session';
const TERMS = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** The secret that a browser holds; null where it holds none. */
export function sessionSecret({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.split('=', 2);
    if (name.trim() === NAME) return value.trim();
  }
  return null;
}

/** Lives as long as the browser does: the server ends it much sooner. */
export function setSessionCookie(reply: FastifyReply, secret: string): void {
  reply.header('set-cookie', `${NAME}=${secret}; ${TERMS}`);
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', `${NAME}=; Max-Age=0; ${TERMS}`);
}
