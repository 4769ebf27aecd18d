import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { Scope } from '../accounts/scopes.ts';
import type { ApiDeps } from './deps.ts';

/** One operation as the routes page lists it: what serves it and what the documentation says of it. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** `{name}` stands for one path segment, as in OpenAPI. */
  readonly path: string;
  readonly operationId: string;
  /** The scope a key needs; `public` needs no key, `metrics` the token of METRICS_TOKEN. */
  readonly access: Scope | 'public' | 'metrics';
  /** What a 2xx costs, in words. */
  readonly credits: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly body?: TSchema;
  /** The body's schema in its flat query form. */
  readonly query?: TSchema;
  readonly answer: TSchema | null;
  /** Of success, where it is not 200. */
  readonly status?: 202;
  readonly answerType?: string;
  /** What else it answers with the same schema, by status. */
  readonly otherAnswers?: Readonly<Record<number, string>>;
  /** Problems of its own, beyond those every route of its access can answer. */
  readonly problems: readonly ErrorCode[];
  readonly handle: Handle;
}

export type Handle = (deps: ApiDeps, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
