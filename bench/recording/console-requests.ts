import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { RecordAnswer } from './answer-log.ts';
import type { Answered, Ask } from './api-client.ts';
import type { Json } from './normalize.ts';
import { addressOf, someRows } from './staged-homes.ts';

/** A browser: it keeps cookies and sends the token of its session with every change. */
interface Browser {
  readonly get: (name: string, path: string) => Promise<Answered>;
  readonly post: (name: string, path: string, body?: unknown) => Promise<Answered>;
}

/** @param open makes a client whose standard headers are asked for with every request */
export function openBrowser(
  host: string,
  open: (standard: () => Readonly<Record<string, string>>) => Ask,
): Browser {
  const cookies = new Map<string, string>();
  let token = '';
  const ask = open(() => ({ cookie: [...cookies.values()].join('; ') }));
  const keep = (answer: Answered): Answered => {
    for (const cookie of answer.headers.getSetCookie()) {
      const pair = cookie.split(';', 1)[0];
      cookies.set(pair.split('=', 1)[0], pair);
    }
    token = (answer.body?.csrf_token as string | undefined) ?? token;
    return answer;
  };
  return {
    get: async (name, path) => keep(await ask(`console ${name}`, 'GET', `/console/api/${path}`)),
    post: async (name, path, body) =>
      keep(
        await ask(`console ${name}`, 'POST', `/console/api/${path}`, {
          ...(body === undefined ? {} : { body }),
          headers: { origin: host, 'x-csrf-token': token },
        }),
      ),
  };
}

export const ADMINISTRATOR = { name: 'admin@example.com', password: 'four plumb bobs hang' } as const;
const MEMBER = { name: 'member@example.com', password: 'six brass levels rest' } as const;

/** @param whileSignedIn further requests of the session */
export async function requestConsole(
  browser: Browser,
  anonymous: Ask,
  files: string,
  whileSignedIn: () => Promise<void>,
): Promise<void> {
  await anonymous('console without a session', 'GET', '/console/api/session');
  await anonymous('console page', 'GET', '/console/api/nothing');
  await browser.post('sign-in, wrong password', 'sign-in', {
    ...ADMINISTRATOR,
    password: 'not this one at all',
  });
  await browser.post('sign-in, unknown name', 'sign-in', { name: 'nobody', password: 'not this one at all' });
  await browser.post('sign-in, no password', 'sign-in', { name: ADMINISTRATOR.name });
  await browser.post('sign-in', 'sign-in', ADMINISTRATOR);
  for (const path of [
    'session',
    'sessions',
    'settings',
    'plans',
    'accounts',
    'keys',
    'users',
    'usage/months',
  ])
    await browser.get(path, path);
  await requestAccounts(browser);
  await requestKeys(browser);
  await requestUsers(browser);
  await requestMarkets(browser);
  await requestHomes(browser, files);
  await whileSignedIn();
  await browser.get('audit', 'audit?limit=100');
  await browser.get('audit found', 'audit?find=key&limit=5');
  await browser.get('audit, bad limit', 'audit?limit=0');
  await browser.get('unknown path', 'nothing');
  await browser.post('new password, wrong current one', 'password', {
    current_password: 'not this one at all',
    new_password: 'eight steel squares lean',
  });
  await browser.post('new password, too short', 'password', {
    current_password: ADMINISTRATOR.password,
    new_password: 'short',
  });
  await browser.post('new password', 'password', {
    current_password: ADMINISTRATOR.password,
    new_password: 'eight steel squares lean',
  });
  await browser.post('sign-out', 'sign-out');
  await browser.get('session after signing out', 'session');
}

async function requestAccounts({ post, get }: Browser): Promise<void> {
  await post('account', 'accounts', { id: 'lender', name: 'A lender', plan: 'standard' });
  await post('account again', 'accounts', { id: 'lender', name: 'A lender', plan: 'standard' });
  await post('account of an unknown plan', 'accounts', { id: 'other', name: 'Other', plan: 'gold' });
  await post('account with a bad id', 'accounts', { id: 'Not An Id', name: 'Other', plan: 'free' });
  await post('account plan', 'accounts/lender/plan', { plan: 'professional' });
  await post('account plan of nobody', 'accounts/nobody/plan', { plan: 'professional' });
  await get('accounts after', 'accounts');
}

async function requestKeys({ post, get }: Browser): Promise<void> {
  const { body } = await post('key', 'keys', {
    name: 'pipeline',
    environment: 'live',
    scopes: ['avm:property'],
  });
  await post('key that expires', 'keys', {
    name: 'trial',
    environment: 'test',
    scopes: ['*'],
    expires_at: '2027-02-27',
  });
  await post('key without scopes', 'keys', { name: 'none', environment: 'live', scopes: [] });
  await post('key of the past', 'keys', {
    name: 'old',
    environment: 'live',
    scopes: ['*'],
    expires_at: '2020-01-01',
  });
  const { body: rotated } = await post('key rotated', `keys/${body.id as string}/rotate`, {
    overlap_days: 3,
  });
  await post('key rotated too long', `keys/${rotated.id as string}/rotate`, { overlap_days: 4000 });
  await post('key revoked', `keys/${rotated.id as string}/revoke`);
  await post('key revoked again', `keys/${rotated.id as string}/revoke`);
  await post('key unknown', 'keys/zzzzzzzz/revoke');
  await get('keys after', 'keys');
}

async function requestUsers({ post, get }: Browser): Promise<void> {
  const { body } = await post('user', 'users', { ...MEMBER, role: 'member' });
  const id = body.id as string;
  await post('user again', 'users', { ...MEMBER, role: 'member' });
  await post('user with a short password', 'users', {
    name: 'x@example.com',
    role: 'member',
    password: 'short',
  });
  await post('user role', `users/${id}/role`, { role: 'administrator' });
  await post('user role unknown', `users/${id}/role`, { role: 'king' });
  await post('user password', `users/${id}/password`, { password: 'nine copper lines run' });
  await post('user disabled', `users/${id}/disable`);
  await post('user enabled', `users/${id}/enable`);
  await post('user unknown', 'users/01900000-0000-7000-8000-000000000000/disable');
  await get('users after', 'users');
}

async function requestMarkets({ get }: Browser): Promise<void> {
  const { body } = await get('markets', 'markets');
  for (const { id } of body.markets as { id: string }[]) {
    const { body: market } = await get(`market ${id}`, `markets/${id}`);
    const models = (market.models ?? market.market?.models ?? []) as { id: string }[];
    for (const [i, model] of models.entries())
      await get(`market ${id} study ${i}`, `models/${model.id}/study`);
  }
  await get('market unknown', 'markets/nowhere');
}

async function requestHomes({ get, post }: Browser, files: string): Promise<void> {
  for (const [i, row] of someRows(files, 'sample-county/generated-parcels.csv', 8).entries()) {
    const typed = row.address.slice(0, 4 + i);
    await get(`addresses ${i}`, `addresses?query=${encodeURIComponent(typed)}&limit=5`);
    await get(`census here ${i}`, `census-here?latitude=${row.latitude}&longitude=${row.longitude}`);
    await post(`described home ${i}`, 'described-home', {
      location: { address: addressOf(row) },
      search_params: { date: '2026-11-20' },
    });
  }
  await get('addresses of an empty query', 'addresses?query=');
  await get('census here, no point', 'census-here?latitude=1');
  await post('described home unknown', 'described-home', { location: { address: '1 Nowhere Rd' } });
}

/** What missing details cost the range of some valuations. */
export async function requestMissingDetails({ post }: Browser, ids: readonly string[]): Promise<void> {
  for (const [i, id] of ids.entries()) await post(`missing details ${i}`, `valuations/${id}/range-costs`);
}

/** Tiles of the map, decoded. Street lines are left out: they are no longer guessed from houses. */
export async function requestTiles(
  record: RecordAnswer,
  fetchTile: (path: string) => Promise<Uint8Array>,
): Promise<void> {
  const [lat, lon] = [41.9995, -101.61];
  for (const z of [3, 9, 12, 14, 16]) {
    const x = Math.floor(((lon + 180) / 360) * 2 ** z);
    const y = Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z);
    const tile = new VectorTile(new PbfReader(await fetchTile(`/console/api/map/${z}/${x}/${y}`)));
    const layers = Object.entries(tile.layers).filter(([name]) => name !== 'streets');
    const body: Json = layers.map(([name, layer]) => ({
      name,
      features: Array.from({ length: layer.length }, (_, i) => {
        const { type, properties } = layer.feature(i);
        const lines = layer.feature(i).loadGeometry();
        return { type, properties: properties as Record<string, Json>, points: lines.flat().length };
      }),
    }));
    record({ name: `console tile at zoom ${z}`, status: 200, headers: {}, body });
  }
}
