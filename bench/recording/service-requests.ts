import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answered, Ask } from './api-client.ts';
import type { RecordAnswer } from './answer-log.ts';
import type { Json } from './normalize.ts';

/** Fixed, because answers repeat the URL. */
const RECEIVER_PORT = 18_432;

/** Receives webhooks, and records the first body of each kind. */
interface Receiver {
  readonly url: string;
  readonly record: (record: RecordAnswer) => void;
  readonly close: () => void;
}

export async function startReceiver(): Promise<Receiver> {
  const bodies: Json[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Json);
      response.end();
    });
  });
  await new Promise<void>((listening) => server.listen(RECEIVER_PORT, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${RECEIVER_PORT}/hook`,
    record: (record) => {
      const texts = bodies.map((body) => ({ body, text: JSON.stringify(body) }));
      texts.sort((a, b) => a.text.length - b.text.length);
      texts.forEach(({ body }, i) =>
        record({ name: `webhook received ${i}`, status: null, headers: {}, body }),
      );
    },
    close: () => server.close(),
  };
}

/** What the service says of itself. */
export async function requestService(ask: Ask): Promise<void> {
  await ask('coverage', 'GET', '/v1/coverage');
  const { body } = await ask('models', 'GET', '/v1/models');
  for (const [i, model] of (body.models as { id: string }[]).entries())
    await ask(`model ${i} accuracy`, 'GET', `/v1/models/${model.id}/accuracy`);
  await ask('model unknown', 'GET', '/v1/models/01900000-0000-7000-8000-000000000000/accuracy');
  await ask('health', 'GET', '/healthz');
  await ask('readiness', 'GET', '/readyz');
  await ask('usage', 'GET', '/v1/usage');
  await ask('usage of a month', 'GET', '/v1/usage?period=2026-10');
  await ask('usage of no month', 'GET', '/v1/usage?period=2026-13');
}

/** Names of metrics without values, which depend on the machine. */
export async function requestMetrics(record: RecordAnswer, quiet: Ask): Promise<void> {
  const { status, text } = await quiet('', 'GET', '/metrics', {
    headers: { authorization: 'Bearer recording' },
  });
  const names = [...text.matchAll(/^# TYPE (plumbline_\S+) (\S+)$/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  );
  record({ name: 'metrics', status, headers: {}, body: names.sort() });
}

/** Paths, methods, parameters, statuses and members of the OpenAPI document, without its prose and examples. */
export async function requestOpenApi(record: RecordAnswer, quiet: Ask): Promise<void> {
  const { status, body } = await quiet('', 'GET', '/v1/openapi.json');
  const bare = withoutProse(body as Json);
  const { paths, components, ...rest } = bare as Record<string, Record<string, Json>>;
  record({
    name: 'openapi',
    status,
    headers: {},
    body: { openapi: rest.openapi, paths: Object.keys(paths) },
  });
  for (const [path, item] of Object.entries(paths))
    record({ name: `openapi ${path}`, status, headers: {}, body: item });
  for (const [name, schema] of Object.entries((components?.schemas ?? {}) as Record<string, Json>))
    record({ name: `openapi schema ${name}`, status, headers: {}, body: schema });
}

function withoutProse(value: Json, isNames = false): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withoutProse(item));
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(
    ([name, item]) =>
      isNames ||
      (!(['description', 'summary', 'title', 'x-when-omitted'].includes(name) && typeof item === 'string') &&
        !['example', 'examples'].includes(name)),
  );
  return Object.fromEntries(
    kept.map(([name, item]) => [name, withoutProse(item as Json, !isNames && name === 'properties')]),
  );
}

export async function requestWebhooks(ask: Ask, quiet: Ask, notifyUrl: string): Promise<void> {
  await ask('webhook secret', 'POST', '/v1/webhooks/secret/rotate');
  const { body } = await ask('webhook test', 'POST', '/v1/webhooks/test', {
    body: { notify_url: notifyUrl },
  });
  await ask('webhook test of a private URL', 'POST', '/v1/webhooks/test', {
    body: { notify_url: 'http://192.168.0.1/' },
  });
  await ask('webhook test without a URL', 'POST', '/v1/webhooks/test', { body: {} });
  await delivered(quiet);
  await ask('deliveries', 'GET', '/v1/webhooks/deliveries?limit=20');
  await ask('deliveries delivered', 'GET', '/v1/webhooks/deliveries?state=delivered');
  await ask('deliveries, bad state', 'GET', '/v1/webhooks/deliveries?state=lost');
  const id = firstId(body) ?? (await quiet('', 'GET', '/v1/webhooks/deliveries')).body.deliveries?.[0]?.id;
  if (id) await ask('redelivery', 'POST', `/v1/webhooks/deliveries/${id as string}/redeliver`);
  await ask(
    'redelivery of an unknown one',
    'POST',
    '/v1/webhooks/deliveries/01900000-0000-7000-8000-000000000000/redeliver',
  );
  await delivered(quiet);
}

function firstId(body: Answered['body']): string | null {
  return (body?.delivery_id ?? body?.id ?? null) as string | null;
}

/** Waits until nothing is left to deliver. */
async function delivered(quiet: Ask): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { text } = await quiet('', 'GET', '/v1/webhooks/deliveries?state=pending');
    if (/"(deliveries|items)":\[\]/.test(text)) return;
    await sleep(200);
  }
}
