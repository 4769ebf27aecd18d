import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordAnswer } from './answer-log.ts';
import { createClient, type Ask } from './api-client.ts';
import { requestBatches } from './batch-requests.ts';
import type { Checkout } from './checkout.ts';
import {
  ADMINISTRATOR,
  openBrowser,
  requestConsole,
  requestMissingDetails,
  requestTiles,
} from './console-requests.ts';
import { requestInvalid } from './invalid-requests.ts';
import { requestComprehensive, requestPlaces } from './place-requests.ts';
import {
  requestMetrics,
  requestOpenApi,
  requestService,
  requestWebhooks,
  startReceiver,
} from './service-requests.ts';
import {
  requestBuildings,
  requestPastValuations,
  requestProperties,
  requestRents,
} from './value-requests.ts';

const PORT = 18_431;
const URL = `http://127.0.0.1:${PORT}`;
const READY_WITHIN_MS = 60_000;

/** Serves the data folder and records the responses to several hundred requests. */
export async function recordService(checkout: Checkout, record: RecordAnswer, files: string): Promise<void> {
  const key = await createKey(checkout, 'recording', '*');
  const scopedKey = await createKey(checkout, 'recording fire', 'places:fire');
  const { exitCode, errors } = await checkout.run(
    ['users', 'create', '--name', ADMINISTRATOR.name, '--role', 'administrator'],
    `${ADMINISTRATOR.password}\n${ADMINISTRATOR.password}\n`,
  );
  if (exitCode !== 0) throw new Error(`users create failed: ${errors}`);
  const server = checkout.start(['serve'], {
    HOST: '127.0.0.1',
    PORT: String(PORT),
    METRICS_TOKEN: 'recording',
    CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
  });
  server.stderr?.pipe(process.stderr);
  const receiver = await startReceiver();
  try {
    await ready(server);
    const standard = (): Record<string, string> => ({ 'x-api-key': key });
    const ask = createClient(URL, record, standard);
    const quiet = createClient(URL, () => {}, standard);
    await requestAll(ask, quiet, record, { files, scopedKey, notifyUrl: receiver.url });
    receiver.record(record);
  } finally {
    receiver.close();
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
}

async function requestAll(
  ask: Ask,
  quiet: Ask,
  record: RecordAnswer,
  { files, scopedKey, notifyUrl }: { files: string; scopedKey: string; notifyUrl: string },
): Promise<void> {
  const homes = await requestProperties(ask, files);
  const rents = await requestRents(ask, files);
  const buildings = await requestBuildings(ask, files);
  await requestPastValuations(ask, [...homes, ...rents, ...buildings]);
  await requestPlaces(ask, files);
  await requestComprehensive(ask, files);
  await requestInvalid(ask, scopedKey, {
    missing: '',
    malformed: 'nonsense',
    'with a bad checksum': 'plb_live_aaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa000000',
  });
  await requestBatches(ask, quiet, files, notifyUrl);
  await requestWebhooks(ask, quiet, notifyUrl);
  await requestService(ask);
  await requestMetrics(record, quiet);
  await requestOpenApi(record, quiet);
  let cookie = '';
  const browser = openBrowser(URL, (standard) =>
    createClient(URL, record, () => {
      cookie = standard().cookie;
      return standard();
    }),
  );
  const anonymous = createClient(URL, record, () => ({}));
  await requestConsole(browser, anonymous, files, async () => {
    await requestMissingDetails(browser, homes);
    await requestTiles(record, async (path) => {
      const tile = await fetch(`${URL}${path}`, { headers: { cookie } });
      return new Uint8Array(await tile.arrayBuffer());
    });
  });
}

async function createKey(checkout: Checkout, name: string, scope: string): Promise<string> {
  const { output, errors } = await checkout.run([
    'keys',
    'create',
    '--name',
    name,
    '--scope',
    scope,
    '--json',
  ]);
  const key = /plb_live_[0-9A-Za-z_]+/.exec(output)?.[0];
  if (key === undefined) throw new Error(`keys create printed no key: ${output}${errors}`);
  return key;
}

async function ready(server: ChildProcess): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS;
  while (Date.now() < until) {
    if (server.exitCode !== null) throw new Error(`the server ended with exit code ${server.exitCode}`);
    const answer = await fetch(`${URL}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await sleep(200);
  }
  throw new Error('the server was not ready within a minute');
}
