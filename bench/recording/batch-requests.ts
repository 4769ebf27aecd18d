import { setTimeout as sleep } from 'node:timers/promises';
import type { Answered, Ask } from './api-client.ts';
import { addressOf, pointOf, someRows, type Row } from './staged-homes.ts';
import { briefFields, fullFields } from './value-requests.ts';

const PARCELS = 'sample-county/generated-parcels.csv';
const POLL_MS = 250;
const WAIT_MS = 120_000;

const item = (row: Row, i: number): object => ({
  property_id: `loan-${i}`,
  location: i % 2 === 0 ? { address: addressOf(row) } : pointOf(row),
  property_fields: i % 2 === 0 ? briefFields(row) : fullFields(row),
  search_params: { num_comps: i % 3, date: '2026-11-20' },
});

const NOT_FOUND = {
  property_id: 'unknown address',
  location: { address: '1 Nowhere Rd' },
  property_fields: { total_bedrooms: 3, total_bathrooms: 1 },
};
const OUTSIDE = {
  location: { latitude: 10, longitude: 10 },
  property_fields: { total_bedrooms: 3, total_bathrooms: 1 },
};

/** `quiet` asks without recording: how often a job is polled depends on the machine. */
export async function requestBatches(ask: Ask, quiet: Ask, files: string, notifyUrl: string): Promise<void> {
  const rows = someRows(files, PARCELS, 24, (row) => row.property_type !== 'multifamily');
  const properties = [...rows.map(item), NOT_FOUND, OUTSIDE];
  const submit = (name: string, path: string, body: object, headers: Record<string, string> = {}) =>
    ask(`batch ${name}`, 'POST', path, { body, headers });
  const property = '/v1/avm/batch/property';
  const first = await submit('property', property, { notify_url: notifyUrl, properties });
  const job = await end(quiet, first);
  await readJob(ask, 'property', job);
  await end(quiet, await ask('batch property retried', 'POST', `/v1/avm/batch/${job}/retry-failed`));
  await submit('property dry run', property, { properties }, { 'x-dry-run': 'true' });
  await requestOtherKinds(ask, quiet, files);
  const idempotent = { 'idempotency-key': 'recording-1' };
  const small = { properties: properties.slice(0, 2) };
  const once = await submit('idempotent', property, small, idempotent);
  await end(quiet, once);
  await submit('idempotent again', property, small, idempotent);
  await submit('idempotent with another body', property, { properties }, idempotent);
  await requestCancel(ask, quiet, properties);
  await requestInvalid(submit, properties);
  await ask('batch list', 'GET', '/v1/avm/batch?limit=50&status=complete');
  await ask('batch list by type', 'GET', '/v1/avm/batch?avm_type=rental&limit=1');
  await ask('batch list, bad status', 'GET', '/v1/avm/batch?status=done');
  await ask('batch list, bad cursor', 'GET', '/v1/avm/batch?cursor=nonsense');
  const unknown = '01900000-0000-7000-8000-000000000000';
  await ask('batch unknown', 'GET', `/v1/avm/batch/${unknown}`);
  await ask('batch unknown cancelled', 'POST', `/v1/avm/batch/${unknown}/cancel`);
}

/** @returns the id of the job, once it has ended */
async function end(quiet: Ask, { body }: Answered): Promise<string> {
  const id = body.job_id as string;
  const until = Date.now() + WAIT_MS;
  while (Date.now() < until) {
    const { body: job } = await quiet('', 'GET', `/v1/avm/batch/${id}`);
    if (job.finished_at !== null && job.finished_at !== undefined) return id;
    await sleep(POLL_MS);
  }
  throw new Error(`job ${id} did not end within ${WAIT_MS / 1000} seconds`);
}

async function readJob(ask: Ask, name: string, job: string): Promise<void> {
  await ask(`batch ${name} read`, 'GET', `/v1/avm/batch/${job}`);
  const { body } = await ask(`batch ${name} results`, 'GET', `/v1/avm/batch/${job}/results?limit=5`);
  if (body.next_cursor)
    await ask(
      `batch ${name} results, page 2`,
      'GET',
      `/v1/avm/batch/${job}/results?limit=50&cursor=${encodeURIComponent(body.next_cursor as string)}`,
    );
  await ask(`batch ${name} results as lines`, 'GET', `/v1/avm/batch/${job}/results`, {
    headers: { accept: 'application/x-ndjson' },
  });
  await ask(`batch ${name} cancelled too late`, 'POST', `/v1/avm/batch/${job}/cancel`);
}

async function requestOtherKinds(ask: Ask, quiet: Ask, files: string): Promise<void> {
  const buildings = someRows(files, PARCELS, 6, (row) => row.property_type === 'multifamily');
  const rental = await ask('batch rental', 'POST', '/v1/avm/batch/rental', {
    body: {
      properties: buildings.map((row, i) => ({
        location: pointOf(row),
        property_fields: { units: [{ bedrooms: i % 3, bathrooms: 1 }] },
        search_params: { date: '2026-11-20', num_comps: 1 },
      })),
    },
  });
  await readJob(ask, 'rental', await end(quiet, rental));
  const multifamily = await ask('batch multifamily', 'POST', '/v1/avm/batch/multifamily', {
    body: {
      properties: buildings.map((row) => ({
        location: pointOf(row),
        property_fields: {
          total_units: Number(row.total_units),
          bedrooms: Number(row.bedrooms || 8),
          bathrooms: Number(row.bathrooms || 6),
        },
        search_params: { date: '2026-11-20', num_comps: 1 },
      })),
    },
  });
  await readJob(ask, 'multifamily', await end(quiet, multifamily));
}

/** How far a job is when it is cancelled depends on the machine, so only what is certain is recorded. */
async function requestCancel(ask: Ask, quiet: Ask, properties: readonly object[]): Promise<void> {
  const many = Array.from({ length: 500 }, (_, i) => properties[i % properties.length]);
  const { body } = await ask('batch to cancel', 'POST', '/v1/avm/batch/property', {
    body: { properties: many },
  });
  await quiet('', 'POST', `/v1/avm/batch/${body.job_id as string}/cancel`);
  await end(quiet, { status: 0, headers: new Headers(), text: '', body });
  await ask('batch cancelled again', 'POST', `/v1/avm/batch/${body.job_id as string}/cancel`);
}

async function requestInvalid(
  submit: (name: string, path: string, body: object) => Promise<Answered>,
  properties: readonly object[],
): Promise<void> {
  const path = '/v1/avm/batch/property';
  await submit('empty', path, { properties: [] });
  await submit('of 501', path, { properties: Array.from({ length: 501 }, () => properties[0]) });
  await submit('with a faulty item', path, {
    properties: [
      ...properties.slice(0, 3),
      { location: { latitude: 1 }, property_fields: { total_bedrooms: -1 } },
    ],
  });
  await submit('with a private callback', path, {
    notify_url: 'http://10.0.0.1/hook',
    properties: properties.slice(0, 1),
  });
  await submit('with a callback that is no URL', path, {
    notify_url: 'nonsense',
    properties: properties.slice(0, 1),
  });
  await submit('without properties', path, {});
}
