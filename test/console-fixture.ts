import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createUser } from '../src/accounts/manage-users.ts';
import type { IdentityProvider } from '../src/accounts/identity-provider.ts';
import { createPasswords, type Passwords } from '../src/accounts/passwords.ts';
import type { UserDeps } from '../src/accounts/sessions.ts';
import { composeOperations } from '../src/cli/compose-operations.ts';
import type { Role } from '../src/domain/role.ts';
import { createLog } from '../src/log.ts';
import { COMMAND_LINE } from '../src/store/audit-log.ts';
import type { Store } from '../src/store/store.ts';
import { insertAccount } from '../src/store/accounts.ts';
import { engines, type TestEngine } from './harness/store/engines.ts';
import { uuidV7 } from '../src/store/uuid-v7.ts';
import { linesInto } from './api-fixture.ts';
import { startTestApp } from './test-app.ts';
import type { Json } from './json.ts';
import { QUICK_SCRYPT, testPeople } from './harness/accounts/people.ts';

const NOON = Date.parse('2026-03-31T12:00:00Z');
export const PASSWORD = 'four plumb bobs hang';
export const HOST = 'console.test';

/** The console's server over a database, without a port. Tests set its clock. */
export interface TestConsole {
  readonly app: FastifyInstance;
  /** A key of the account `self`, with all scopes. */
  readonly key: string;
  readonly store: Store;
  readonly people: UserDeps;
  /** How many passwords were checked, for known and unknown users. */
  readonly checks: () => number;
  readonly logLines: readonly string[];
  readonly passMs: (ms: number) => void;
  readonly addAccount: (accountId: string, plan?: string) => Promise<void>;
  /** Adds a user whose password is PASSWORD. */
  readonly addUser: (name: string, role: Role, accountId?: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function startConsole(
  engine: TestEngine,
  identityProvider: IdentityProvider | null = null,
): Promise<TestConsole> {
  let now = NOON;
  const clock = (): Date => new Date(now);
  const store = await engine.open({ clock });
  const composed = composeOperations(store);
  const operations = { ...composed, clock, newId: () => uuidV7(now, randomBytes(10)) };
  const logLines: string[] = [];
  const log = createLog('info', linesInto(logLines));
  const quick = createPasswords(randomBytes, QUICK_SCRYPT);
  let checks = 0;
  const passwords: Passwords = {
    hash: quick.hash,
    verify: (password, stored) => {
      checks++;
      return quick.verify(password, stored);
    },
  };
  const { app, key } = await startTestApp(operations, { passwords, log, identityProvider });
  const people = testPeople(store, clock, passwords);
  return {
    app,
    key,
    store,
    people,
    checks: () => checks,
    logLines,
    passMs: (ms) => void (now += ms),
    addAccount: async (accountId, plan = 'unlimited') => {
      await insertAccount(store, { accountId, name: accountId, plan, createdAt: now });
    },
    addUser: async (name, role, accountId = 'self') =>
      (await createUser(people, COMMAND_LINE, { accountId, name, role, password: PASSWORD })).userId,
    close: async () => {
      await app.close();
      await composed.valuationLog.close();
      await store.close();
    },
  };
}

export interface BrowserAnswer {
  readonly status: number;
  readonly body: Json;
  readonly text: string;
  readonly headers: Json;
}

interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

/** A browser: it keeps cookies and sends the same headers as the console's pages. */
export interface TestBrowser {
  /** The current session cookie. */
  readonly cookie: () => string;
  /** The current device cookie. */
  readonly device: () => string;
  readonly token: () => string;
  readonly ask: (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
    options?: AskOptions,
  ) => Promise<BrowserAnswer>;
  readonly signIn: (name: string, password?: string, options?: AskOptions) => Promise<BrowserAnswer>;
}

export function openBrowser({ app }: Pick<TestConsole, 'app'>, held = '', token = ''): TestBrowser {
  const cookies = new Map<string, string>();
  const keep = (cookie: string): void => {
    const pair = cookie.split(';', 1)[0];
    if (pair !== '') cookies.set(pair.split('=', 1)[0], pair);
  };
  const cookieOf = (name: string): string => cookies.get(name) ?? '';
  keep(held);
  const ask: TestBrowser['ask'] = async (
    method,
    path,
    body,
    { headers = {}, address = '127.0.0.1' } = {},
  ) => {
    const response = await app.inject({
      method,
      url: `/console/api/${path}`,
      remoteAddress: address,
      headers: {
        host: HOST,
        ...(method !== 'GET' ? { origin: `http://${HOST}`, 'x-csrf-token': token } : {}),
        ...(cookies.size === 0 ? {} : { cookie: [...cookies.values()].join('; ') }),
        ...(body === undefined
          ? {}
          : { 'content-type': Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
    for (const set of [response.headers['set-cookie'] ?? []].flat()) keep(set);
    const isJson = /[/+]json/.test(String(response.headers['content-type']));
    const json = isJson ? response.json() : {};
    token = json.csrf_token ?? token;
    return {
      status: response.statusCode,
      body: json,
      text: response.body,
      headers: response.headers,
    };
  };
  return {
    cookie: () => cookieOf('__Host-session'),
    device: () => cookieOf('__Host-device'),
    token: () => token,
    ask,
    signIn: (name, password = PASSWORD, options = {}) => ask('POST', 'sign-in', { name, password }, options),
  };
}

/** Runs tests of the console on every engine, each test with a console of its own. */
export function onConsole(
  name: string,
  run: (console: TestConsole) => Promise<void>,
  identityProvider: () => IdentityProvider | null = () => null,
): void {
  for (const engine of engines) {
    test(`${engine.name}: ${name}`, async () => {
      const console = await startConsole(engine, identityProvider());
      try {
        await run(console);
      } finally {
        await console.close();
      }
    });
  }
}
