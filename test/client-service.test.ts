import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { createClient, ProblemError, verifyWebhook, type Client } from '../client/src/index.ts';
import { listOf } from './list-of.ts';
import { assertAnswerPublished, OPERATION_IDS, operationOf } from './published-responses.ts';
import { serveSampleCounty, type SampleService } from './sample-service.ts';

const LOCATION = { address: '249 W Canal St, Plumb Falls' };
const HOME = { location: LOCATION, property_fields: { total_bedrooms: 3, total_bathrooms: 2 } };
const FLAT_HOME = { ...LOCATION, ...HOME.property_fields };
const RENTS = { location: LOCATION, property_fields: { units: [{ bedrooms: 2, bathrooms: 1 }] } };
const BUILDING = {
  location: { address: '372 W Canal St, Plumb Falls' },
  property_fields: { total_units: 4, bedrooms: 8, bathrooms: 4 },
};
const CENSUS = { location: LOCATION, census_keys: ['B19013_001E'] };

describe('the client with the running service', () => {
  let service: SampleService;
  let client: Client;
  const succeeded = new Set<string>();

  before(async () => {
    service = await serveSampleCounty();
    client = createClient({ baseUrl: service.url, apiKey: service.key, fetch: fetchChecked });
  });
  after(() => service.close());

  /** Checks every response against the OpenAPI document, which the client's types are generated from. */
  async function fetchChecked(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const response = await fetch(input, init);
    const operation = operationOf(init?.method ?? 'GET', new URL(String(input)).pathname);
    const copy = response.clone();
    const type = copy.headers.get('content-type') ?? '';
    assertAnswerPublished(operation, { status: copy.status, type, text: await copy.text() });
    if (response.ok) succeeded.add(operation.operationId);
    return response;
  }

  test('valuations by body and by query agree, and can be read again and replayed', async () => {
    const body = await client.valueProperty(HOME);
    const query = await client.valuePropertyByQuery(FLAT_HOME);
    assert.equal(query.valuation.point_value, body.valuation.point_value);
    assert.deepEqual(await client.readValuation(body.valuation.valuation_id), body);
    assert.equal((await client.replayValuation(body.valuation.valuation_id)).agrees, true);
    const report = await client.readReport(body.valuation.valuation_id, { format: 'pdf' });
    assert.equal(report.type, 'application/pdf');
    assert.equal(await report.slice(0, 5).text(), '%PDF-');
    const page = await (await client.readReport(body.valuation.valuation_id)).text();
    const [, , id = '', code = ''] = /(\/verify\/)([\w-]+)\/([\w-]+)/.exec(page) ?? [];
    assert.match(await client.verifyValuation(id, code), new RegExp(body.valuation.model.sha256));
    const share = await client.createShare(body.valuation.valuation_id, { expires_in_days: 1 });
    const shared = await client.openShare(share.path.split('/')[2] ?? '');
    assert.match(shared.type, /^text\/html/);
    const { shares } = await client.listShares(body.valuation.valuation_id);
    assert.deepEqual(
      shares.map(({ opened }) => opened),
      [1],
    );
    const revoked = await client.revokeShare(body.valuation.valuation_id, share.share_id);
    assert.ok(revoked.revoked_at);

    const original = body.valuation.valuation_id;
    const saved = await client.saveValuation(original, { name: 'Appeal', tags: ['appeal'] });
    assert.deepEqual((await client.listSavedValuations({ tag: 'appeal' })).saved, [saved]);
    assert.deepEqual(await client.removeSavedValuation(original), saved);
    const { challenge } = await client.challengeValuation(original, {
      property_fields: { living_area: 1700 },
    });
    const endpoint = await client.createWebhookEndpoint({
      url: 'https://93.184.216.34/hook',
      events: ['challenge.decided'],
    });
    assert.deepEqual((await client.listWebhookEndpoints()).endpoints, [endpoint]);
    assert.deepEqual((await client.removeWebhookEndpoint(endpoint.endpoint_id)).endpoints, []);
    const decision = { decision: 'accepted', reason: 'measured' } as const;
    const decided = await client.decideChallenge(challenge.valuation_id, decision);
    assert.deepEqual((await client.listChallenges(original)).challenges, [decided]);
    assert.deepEqual((await client.listAccountChallenges({ state: 'accepted' })).challenges, [decided]);

    const rents = await client.valueRental(RENTS);
    const flat = await client.valueRentalByQuery({ ...LOCATION, units: RENTS.property_fields.units });
    assert.equal(flat.valuation.estimated_rent, rents.valuation.estimated_rent);
    const building = await client.valueMultifamily(BUILDING);
    const flatBuilding = await client.valueMultifamilyByQuery({
      ...BUILDING.location,
      ...BUILDING.property_fields,
    });
    assert.equal(flatBuilding.valuation.point_value, building.valuation.point_value);
  });

  test('place data is returned separately and combined, and incidents one by one', async () => {
    const census = await client.readCensusData(CENSUS);
    assert.deepEqual(
      await client.readCensusDataByQuery({ ...LOCATION, census_keys: CENSUS.census_keys }),
      census,
    );
    const { variables } = await client.listCensusVariables();
    assert.ok(variables.some(({ census_key: key }) => key === 'B19013_001E'));
    const geoid = census.census_geoids?.geoid;
    assert.ok(geoid);
    const ofArea = await client.readCensusByGeoid({ geoid, census_keys: CENSUS.census_keys });
    assert.deepEqual(ofArea.acs_data, census.acs_data);

    const crime = await client.readCrimeData({ location: LOCATION, radius_mi: 0.3, limit: 5 });
    const byQuery = await client.readCrimeDataByQuery({ ...LOCATION, radius_mi: 0.3, limit: 5 });
    assert.deepEqual(byQuery.crime_instances, crime.crime_instances);
    const ids = new Set<number | null>();
    for await (const incident of client.each.readCrimeData({
      location: LOCATION,
      radius_mi: 0.3,
      limit: 5,
    })) {
      ids.add(incident.id);
      if (ids.size === 12) break;
    }
    assert.equal(ids.size, 12);

    const fire = await client.readFireRisk({ location: LOCATION });
    assert.deepEqual(await client.readFireRiskByQuery(LOCATION), fire);
    const flood = await client.readFloodZone({ location: LOCATION });
    assert.deepEqual(await client.readFloodZoneByQuery(LOCATION), flood);
    const whole = await client.readComprehensive({
      ...HOME,
      requests: ['property-avm', 'fire-risk', 'flood-zone'],
    });
    assert.equal(whole.location_data?.flood_zone?.fld_zone, flood.fema_flood_zone?.fld_zone);
    assert.deepEqual(whole.errors, {});
  });

  test('a dry run charges nothing, and a response reports its cost in its metadata', async () => {
    assert.equal((await client.dryRun.valueProperty(HOME)).credits_max, 30);
    const told: unknown[] = [];
    await client.valueProperty(HOME, {
      onResponse: ({ status, creditsCharged }) => told.push(status, creditsCharged),
    });
    assert.deepEqual(told, [200, 30]);
  });

  test('a batch completes, its results come as pages and lines, and its webhook arrives and is verified', async () => {
    const receiver = await receiveWebhooks();
    try {
      const { secret } = await client.rotateWebhookSecret();
      await client.testWebhook({ notify_url: receiver.url });
      const properties = [
        { property_id: 'a', ...HOME },
        { property_id: 'b', ...HOME, location: { address: '1 Nowhere Rd, Plumb Falls' } },
      ];
      const batch = { notify_url: receiver.url, properties };
      assert.equal((await client.dryRun.submitPropertyBatch(batch)).credits_max, 60);
      const replays: boolean[] = [];
      const once = {
        idempotencyKey: 'a submission',
        onResponse: ({ isReplayed }: { isReplayed: boolean }) => replays.push(isReplayed),
      };
      const { job_id: jobId } = await client.submitPropertyBatch(batch, once);
      assert.equal((await client.submitPropertyBatch(batch, once)).job_id, jobId);
      assert.deepEqual(replays, [false, true]);
      await service.batchLoop.idle();
      await service.deliverySender.idle();

      const job = await client.readJob(jobId);
      assert.deepEqual([job.status, job.completed, job.failed], ['complete', 1, 1]);
      const paged = await listOf(client.each.readResults(jobId, { limit: 1 }));
      assert.deepEqual(paged, job.results);
      assert.deepEqual(await listOf(client.lines.readResults(jobId)), paged);
      assert.equal(paged[1].error_code, 'address_not_found');

      const events = await Promise.all(
        receiver.calls.map(({ body, headers }) =>
          verifyWebhook(body, headers, secret, { now: service.operations.clock() }),
        ),
      );
      const ended = events.find((event) => event.type === 'avm.batch.completed');
      assert.ok(ended && 'job_id' in ended);
      assert.equal(ended.job_id, jobId);
      const deliveries = await listOf(client.each.listDeliveries({ limit: 1 }));
      assert.deepEqual(
        deliveries.map(({ state }) => state),
        ['delivered', 'delivered'],
      );
      await client.redeliver(deliveries[0].delivery_id);

      const again = await client.retryFailed(jobId);
      assert.equal((await client.cancelJob(again.job_id)).status, 'cancelled');
      await client.submitRentalBatch({ properties: [RENTS] });
      await client.submitMultifamilyBatch({ properties: [BUILDING] });
      await service.batchLoop.idle();
      assert.equal((await listOf(client.each.listJobs({ status: 'complete' }))).length, 3);
    } finally {
      receiver.close();
    }
  });

  test('a sweep is submitted once, cancelled, and its values read as Parquet and CSV', async () => {
    const request = { market: 'sample-county' };
    const { sweep_id: id } = await client.submitSweep(request);
    assert.equal((await client.submitSweep(request)).sweep_id, id, 'the open sweep');
    assert.equal((await client.cancelSweep(id)).status, 'cancelled');
    assert.equal((await client.readSweep(id)).progress_pct, 100);
    const parquet = await client.readSweepValues(id);
    assert.equal(await parquet.slice(0, 4).text(), 'PAR1');
    const csv = await (await client.readSweepValues(id, { format: 'csv' })).text();
    assert.match(csv, /^parcel_id,as_of_date,point_value,/);
  });

  test('a portfolio is created, valued again, listed with its alerts, and deleted', async () => {
    const home = {
      property_id: 'loan-1',
      location: { address: '249 W Canal St, Plumb Falls' },
      property_fields: { total_bedrooms: 3, total_bathrooms: 1.5 },
      loan_balance: 900_000,
    };
    const request = { name: 'Loans', alerts: { ltv_pct: 80 }, properties: [home] };
    assert.ok((await client.dryRun.createPortfolio(request)).credits_max >= 30);
    const replays: boolean[] = [];
    const once = {
      idempotencyKey: 'a portfolio',
      onResponse: ({ isReplayed }: { isReplayed: boolean }) => replays.push(isReplayed),
    };
    const { portfolio_id: id } = await client.createPortfolio(request, once);
    assert.equal((await client.createPortfolio(request, once)).portfolio_id, id);
    const other = { ...home, property_id: 'loan-2', location: { address: '372 W Canal St, Plumb Falls' } };
    assert.equal((await client.addToPortfolio(id, { properties: [home, other] })).properties, 3);
    await service.batchLoop.idle();
    await client.revaluePortfolio(id, once);
    await client.revaluePortfolio(id, once);
    assert.deepEqual(replays, [false, true, false, true]);
    await service.batchLoop.idle();
    const { runs, alert_count: count } = await client.readPortfolio(id);
    assert.deepEqual(
      runs.map(({ run, properties, valued, alerts }) => [run, properties, valued, alerts]),
      [
        // The second loan on the first home is no second alert.
        [2, 3, 3, 1],
        [1, 1, 1, 1],
      ],
    );
    assert.equal((await client.listPortfolios()).portfolios[0].portfolio_id, id);
    const alerts = await listOf(client.each.listPortfolioAlerts(id, { limit: 1 }));
    assert.deepEqual(
      alerts.map(({ alert, kind }) => [alert, kind]),
      [
        [2, 'ltv_above'],
        [1, 'ltv_above'],
      ],
    );
    assert.equal(alerts.length, count);
    const dismissed = await client.dismissAlerts(id, { up_to: 1 });
    assert.deepEqual([dismissed.dismissed, dismissed.open_alerts], [1, 1]);
    const numbersOf = async (status: 'open' | 'dismissed') =>
      (await client.listPortfolioAlerts(id, { status })).alerts.map(({ alert }) => alert);
    assert.deepEqual([await numbersOf('open'), await numbersOf('dismissed')], [[2], [1]]);
    const [{ dismissed_at: at, dismissed_by: by }] = (await client.listPortfolioAlerts(id, { run: 1 }))
      .alerts;
    assert.ok(at !== null && by !== null);
    assert.equal(at, dismissed.dismissed_at);
    const [{ alert_count: all, open_alerts: open }] = (await client.listPortfolios()).portfolios;
    assert.deepEqual([all, open], [2, 1]);
    assert.deepEqual(await client.reopenAlerts(id, { dismissed_at: at }), { reopened: 1, open_alerts: 2 });
    for (const wrong of [
      {},
      { alerts: [1], up_to: 1 },
      { alerts: [1], kind: 'ltv_above' as const },
      { alerts: [] },
      { up_to: 0 },
    ])
      await assert.rejects(client.dismissAlerts(id, wrong), { status: 422 });
    await assert.rejects(client.reopenAlerts(id, { dismissed_at: 'yesterday' }), { status: 422 });
    await assert.rejects(client.dismissAlerts(id, { alerts: [1, 3] }), { status: 404 });
    assert.equal((await client.readPortfolio(id)).open_alerts, 2);
    const homes = await listOf(client.each.listPortfolioProperties(id, { limit: 1 }));
    assert.deepEqual([homes.length, homes[0].estimated_value], [3, homes[1].estimated_value]);
    const csv = await client.readPortfolioValues(id);
    assert.match(csv, /^property_id,.*\nloan-1,/);

    const balances = [
      { property_id: 'loan-1', loan_balance: 100_000 },
      { property_id: 'loan-9', loan_balance: null },
    ];
    assert.deepEqual(await client.changeBalances(id, { balances }), {
      matched: 2,
      changed: 2,
      unknown_count: 1,
      unknown_property_ids: ['loan-9'],
    });
    assert.equal((await client.changeBalances(id, { balances })).changed, 0);
    const unknown = await client
      .changeBalances(id, { balances: balances.slice(1) })
      .catch((error: unknown) => error);
    assert.match(String(unknown), /No home of this portfolio has one of these references/);
    const [first, , third] = homes.map(({ estimated_value: value }) => value ?? assert.fail());
    const changed = await client.changePortfolio(id, { name: 'Loans of May', alerts: { change_pct: 3 } });
    assert.deepEqual(
      [changed.name, changed.revalue_every, changed.alerts],
      ['Loans of May', 'day', { change_pct: 3, outside_range: true, ltv_pct: null, sold_within_mi: null }],
    );
    assert.deepEqual(changed.totals, {
      // The first home is there twice.
      valued: 2,
      estimated_value: first + third,
      repeats: 1,
      loan_balance: 1_100_000,
      loan_balance_valued: 1_100_000,
      ltv_pct: Math.round((1000 * 1_100_000) / (first + third)) / 10,
    });
    const entriesOf = async (filters: object) =>
      (await listOf(client.each.listPortfolioProperties(id, { limit: 1, ...filters }))).map(
        ({ entry }) => entry,
      );
    assert.deepEqual(await entriesOf({ ltv_above_pct: 0.1, fsd_above: 0.001, has_value: true }), [1, 2, 3]);
    for (const none of [{ ltv_above_pct: 10_000 }, { fsd_above: 9 }, { has_value: false }])
      assert.deepEqual(await entriesOf(none), []);
    assert.equal((await client.removeFromPortfolio(id, { property_ids: ['loan-1'] })).removed, 2);
    await assert.rejects(client.removeFromPortfolio(id, { entries: [3] }), { status: 409 });
    assert.equal((await client.deletePortfolio(id)).name, 'Loans of May');
  });

  test('a value history by body and by query agree, and end with the value of today', async () => {
    const property_fields = { total_bedrooms: 3, total_bathrooms: 2 };
    const location = { address: '649 W Canal St, Plumb Falls' };
    const found = await client.readValueHistory({ location, property_fields });
    assert.deepEqual(await client.readValueHistoryByQuery({ ...location, ...property_fields }), found);
    const { valuation } = await client.valueProperty({ location, property_fields });
    assert.equal(found.history.at(-1)?.value, valuation.point_value);
    assert.ok(found.sales.length > 0);
  });

  test('market trends by body and by query agree, and each listed area has the change of its index', async () => {
    const market = 'sample-county';
    const index = await client.readMarketIndex({ market });
    assert.deepEqual(await client.readMarketIndexByQuery({ market }), index);
    const trends = await client.listMarketAreas({ market });
    assert.deepEqual(await client.listMarketAreasByQuery({ market }), trends);
    assert.ok(index.prices && trends.areas.length > 0);
  });

  test('coverage, models, usage and the service endpoints respond', async () => {
    const { markets } = await client.readCoverage();
    assert.deepEqual(
      markets.map(({ market }) => market),
      ['sample-county'],
    );
    const { models } = await client.listModels();
    assert.equal(models.length, 3);
    assert.ok((await client.readModelAccuracy(models[0].id)).accuracy);
    const { credits_used: used } = await client.readUsage({ period: '2026-06' });
    assert.ok(used > 0);
    const { days } = await client.readDailyUsage({ period: '2026-06' });
    assert.equal(
      days.reduce((sum, { credits_used: ofDay }) => sum + ofDay, 0),
      used,
    );
    assert.equal((await client.readOpenApi()).openapi, '3.1.0');
    assert.equal((await client.readHealth()).status, 'ok');
    assert.equal((await client.readReadiness()).status, 'ready');
    assert.match(await client.readMetrics(), /# TYPE credits_charged_total counter/);
  });

  test('an error response becomes an error that says what to do', async () => {
    const nowhere = { ...HOME, location: { address: '249 W Cannal St, Plumb Falls' } };
    await assert.rejects(client.valueProperty(nowhere), (error) => {
      assert.ok(error instanceof ProblemError && error.code === 'address_not_found');
      assert.ok(error.candidates.length > 0 && error.requestId);
      return true;
    });
    const unlikely = { ...HOME, property_fields: { total_bedrooms: 99, total_bathrooms: 2 } };
    await assert.rejects(client.valueProperty(unlikely), {
      code: 'validation_error',
      message: 'body.property_fields.total_bedrooms: must be at most 50',
    });
    const stranger = createClient({ baseUrl: service.url, apiKey: `${service.key.slice(0, -1)}!` });
    await assert.rejects(stranger.readCoverage(), { status: 401, code: 'malformed_api_key' });
  });

  test('every operation of the document was called successfully', () => {
    assert.deepEqual(
      OPERATION_IDS.filter((id) => !succeeded.has(id)),
      [],
    );
  });
});

async function receiveWebhooks() {
  const calls: { readonly body: string; readonly headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      calls.push({ body: Buffer.concat(chunks).toString('utf8'), headers: request.headers });
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return { url: `http://127.0.0.1:${address.port}/hook`, calls, close: () => server.close() };
}
