import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { EXAMPLE_RECEIVER, REQUEST_EXAMPLES } from '../src/api/examples/requests.ts';
import { serveSampleCounty } from './sample-service.ts';
import { isRecord } from '../src/domain/json.ts';

/**
 * `npm run examples`: records the example responses of the documentation from the service on the sample
 * county.
 */
const FILE = new URL('../src/api/examples/recorded.json', import.meta.url);

const service = await serveSampleCounty();
/** Receives webhooks and keeps the first one of each type. */
const posted = new Map<string, unknown>();
const receiver = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(pieces).toString());
    if (isRecord(body) && !posted.has(String(body.type))) posted.set(String(body.type), body);
    response.writeHead(204).end();
  });
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const address = receiver.address();
assert.ok(typeof address === 'object' && address !== null);
const receiverUrl = `http://127.0.0.1:${address.port}/plumbline`;

async function send(
  method: 'GET' | 'POST',
  path: string,
  body: object | null = null,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(service.url + path, {
    method,
    headers: {
      'x-api-key': service.key,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body).replaceAll(EXAMPLE_RECEIVER, receiverUrl) } : {}),
  });
  const parsed: unknown = await response.json();
  assert.ok(isRecord(parsed), path);
  assert.ok(response.ok || response.status === 422, `${path}: ${JSON.stringify(parsed)}`);
  return parsed;
}

const requests = REQUEST_EXAMPLES;
const property = requests.PropertyValuationRequest;
const accepted = await send('POST', '/v1/avm/batch/property', requests.PropertyBatchRequest);
const job = `/v1/avm/batch/${String(accepted.job_id)}`;
const delivery = await send('POST', '/v1/webhooks/test', requests.WebhookTestRequest);
const secret = await send('POST', '/v1/webhooks/secret/rotate');
const registered = await send('POST', '/v1/webhooks/endpoints', requests.WebhookEndpointRequest);
const watched = await send('POST', '/v1/portfolios', requests.PortfolioRequest);
const portfolio = `/v1/portfolios/${String(watched.portfolio_id)}`;
const swept = await send('POST', '/v1/sweeps', requests.SweepRequest);
await service.batchLoop.idle();
await service.deliverySender.idle();
const read = await send('GET', job);
const { results: _results, ...summary } = read;
const variables = await send('GET', '/v1/census-data/variables');
const [firstResult] = [read.results].flat();
const index = await send('POST', '/v1/market/index', requests.MarketIndexRequest);
const areas = await send('POST', '/v1/market/areas', requests.MarketAreasRequest);

const valued = await send('POST', '/v1/avm/property', property);
assert.ok(isRecord(valued.valuation));
const past = `/v1/valuations/${String(valued.valuation.valuation_id)}`;
const share = await send('POST', `${past}/shares`, requests.ShareRequest);
const { path: _path, url: _url, ...created } = share;
const saved = await send('POST', `${past}/saved`, requests.SaveValuationRequest);
const challenged = await send('POST', `${past}/challenge`, requests.ChallengeRequest);
assert.ok(isRecord(challenged.challenge));
const decided = `/v1/valuations/${String(challenged.challenge.valuation_id)}/decision`;
const challenge = await send('POST', decided, requests.DecisionRequest);
await service.deliverySender.idle();

const dismissed = await send('POST', `${portfolio}/alerts/dismiss`, requests.DismissAlertsRequest);

const examples = {
  PropertyValuation: valued,
  ChallengedValuation: challenged,
  Challenge: challenge,
  ChallengeDecidedEvent: posted.get('challenge.decided'),
  WebhookEndpoint: registered,
  WebhookEndpoints: await send('GET', '/v1/webhooks/endpoints'),
  Challenges: await send('GET', `${past}/challenges`),
  AccountChallenges: await send('GET', '/v1/challenges'),
  ValueHistory: withTwoMonths(await send('POST', '/v1/avm/property/history', requests.ValueHistoryRequest)),
  RentalValuation: await send('POST', '/v1/avm/rental', requests.RentalValuationRequest),
  MultifamilyValuation: await send('POST', '/v1/avm/multifamily', requests.MultifamilyValuationRequest),
  CreatedShare: share,
  Share: created,
  SavedValuation: saved,
  SavedValuations: await send('GET', '/v1/saved-valuations'),
  Shares: await send('GET', `${past}/shares`),
  DryRun: await send('POST', '/v1/avm/property', property, { 'x-dry-run': 'true' }),
  Portfolio: await send('GET', portfolio),
  Portfolios: await send('GET', '/v1/portfolios'),
  PortfolioHomes: await send('GET', `${portfolio}/properties`),
  Alerts: await send('GET', `${portfolio}/alerts`),
  DismissedAlerts: dismissed,
  ReopenedAlerts: await send('POST', `${portfolio}/alerts/reopen`, requests.ReopenAlertsRequest),
  PortfolioAlertsEvent: posted.get('portfolio.alerts'),
  DeletedPortfolio: { portfolio_id: watched.portfolio_id, name: watched.name },
  Sweep: await send('GET', `/v1/sweeps/${String(swept.sweep_id)}`),
  AcceptedJob: accepted,
  BatchJob: read,
  JobSummary: { ...summary, status: 'cancelled' },
  Jobs: await send('GET', '/v1/avm/batch'),
  Results: await send('GET', `${job}/results`),
  BatchResult: firstResult,
  BatchCompletedEvent: posted.get('avm.batch.completed'),
  CensusData: await send('POST', '/v1/census-data', requests.CensusDataRequest),
  // Two of several hundred.
  CensusVariables: { variables: [variables.variables].flat().slice(0, 2) },
  CrimeData: await send('POST', '/v1/crime-data', requests.CrimeDataRequest),
  // The last month of each history, and two of the areas.
  MarketIndex: {
    ...index,
    prices: lastMonthOf(index.prices),
    rents: [index.rents].flat().slice(0, 1).map(lastMonthOf),
  },
  MarketAreas: { ...areas, areas: [areas.areas].flat().slice(0, 2) },
  FireRisk: await send('POST', '/v1/fire-risk', requests.HazardRequest),
  FloodZone: await send('POST', '/v1/flood-zone', requests.HazardRequest),
  Comprehensive: await send('POST', '/v1/comprehensive', requests.ComprehensiveRequest),
  Usage: await send('GET', '/v1/usage'),
  DailyUsage: await send('GET', '/v1/usage/days'),
  Coverage: await send('GET', '/v1/coverage'),
  AcceptedDelivery: delivery,
  Deliveries: await send('GET', '/v1/webhooks/deliveries'),
  WebhookSecret: secret,
  WebhookTestEvent: posted.get('webhook.test'),
  ValidationProblem: await send('POST', '/v1/avm/property', {
    ...property,
    property_fields: { ...property.property_fields, total_bedrooms: 51 },
  }),
};
receiver.close();
await service.close();

function withTwoMonths(history: Record<string, unknown>): unknown {
  return { ...history, history: [history.history].flat().slice(-2) };
}

function lastMonthOf(series: unknown): unknown {
  assert.ok(isRecord(series));
  return {
    ...series,
    history: [series.history].flat().slice(-1),
    forecast: [series.forecast].flat().slice(0, 2),
  };
}

/**
 * Makes every run produce the same bytes: ids are replaced in order, and secrets by a fixed one that belongs
 * to no account.
 */
function withStableIds(text: string): string {
  const ids = new Map<string, string>();
  const stable = (id: string): string => {
    const known = ids.get(id) ?? `0199c0de-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  const noSecret = createHmac('sha256', 'an example').digest('base64');
  return text
    .replaceAll(receiverUrl, EXAMPLE_RECEIVER)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, stable)
    .replaceAll(/req_[0-9a-f]{24}/g, 'req_5f1c0a9be2d7c34418f6a0b2')
    .replaceAll(/\/share\/[\w-]+/g, `/share/${noSecret.replaceAll(/\W/g, '')}`)
    .replaceAll(/whsec_[^"]+/g, `whsec_${noSecret}`)
    .replaceAll(/"(compute_ms|duration_ms)": \d+/g, '"$1": 12');
}

writeFileSync(FILE, `${withStableIds(JSON.stringify(examples, null, 2))}\n`);
