import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createKey } from '../src/accounts/manage-keys.ts';
import { formatDay } from '../src/domain/day.ts';
import { COMMAND_LINE, readAudit } from '../src/store/audit-log.ts';
import { seededRandom } from '../src/valuation/random.ts';
import type { Json } from './json.ts';
import {
  AS_OF,
  comparable,
  county,
  getFrom,
  onEveryEngine,
  postTo,
  runsOn,
  startService,
  type TestService,
} from './service-fixture.ts';

const HOME = '/v1/avm/property';
const sold = county.sales.filter(({ parcel }) => parcel.type === 'houses').map(({ parcel }) => parcel);
const houses = [...new Set(sold)];
const DATE = formatDay(AS_OF - 10);

/** A home with every detail that its parcel has. */
function requestOf(at: number, search: object = {}): Json {
  const { address, attributes } = houses[at % houses.length];
  return {
    location: { address: `${address.street}, ${address.city}` },
    search_params: { date: DATE, num_comps: 20, ...search },
    property_fields: {
      total_bedrooms: attributes.bedrooms ?? 3,
      total_bathrooms: attributes.bathrooms ?? 2,
      living_area: attributes.livingAreaSqft ?? 1500,
      lot_size: attributes.lotSizeSqft ?? 5000,
      year_built: attributes.yearBuilt ?? 1970,
      property_type: 'houses',
      condition: 1 + (at % 5),
    },
  };
}

async function answered(service: TestService, url: string, body: unknown): Promise<Json> {
  const answer = await postTo(service, url, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

const challengeOf = ({ valuation }: Json) => `/v1/valuations/${valuation.valuation_id}/challenge`;

async function problemsOf(service: TestService, url: string, body: unknown): Promise<Json[]> {
  const answer = await postTo(service, url, body);
  assert.equal(answer.status, 422, JSON.stringify(answer.body));
  return answer.body.detail;
}

const sumOf = (lines: Json[]) => lines.reduce((sum, { amount }) => sum + amount, 0);

/** Changes of random kinds, of a valuation with its 20 comparables. */
function randomChanges({ comparables }: Json, random: () => number): Json {
  const ids: string[] = comparables.items.map(({ comp_id: id }: Json) => id).toSorted(() => random() - 0.5);
  const take = (most: number) => ids.splice(0, Math.floor(random() * (most + 1)));
  const pinned = take(5);
  const { latitude, longitude, sale_price: price } = comparables.items[0];
  const added =
    random() < 0.5
      ? []
      : [
          {
            sale_price: Math.round(price * (0.8 + 0.4 * random())),
            sale_date: formatDay(AS_OF - 100),
            latitude: latitude + 0.0001,
            longitude,
            property_fields: { living_area: 1200 + Math.floor(random() * 1000) },
          },
        ];
  const lines = [...pinned, ...added.map(() => 'added-1')].slice(0, 2);
  return {
    comparables: {
      pinned: pinned.map((comp_id) => ({ comp_id })),
      excluded: take(4).map((comp_id) => ({ comp_id, reason: 'another street' })),
      added,
      only_pinned: pinned.length + added.length > 0 && random() < 0.3,
    },
    adjustments: lines.map((comp_id) => {
      return { comp_id, field: 'condition', amount: Math.floor(random() * 20_000), reason: 'new kitchen' };
    }),
    ...(random() < 0.5 && { renovations: [{ description: 'roof', cost: 20_000, year: 2024 }] }),
    ...(random() < 0.5 && { property_fields: { living_area: 1000 + Math.floor(1500 * random()) } }),
  };
}

test('challenges of valuations', async (t) => {
  await onEveryEngine(
    t,
    (engine) => startService(engine, '', { hasRents: true }),
    async (t, service) => {
      await t.test('a challenge is split to the dollar and replays to the byte', async () => {
        const random = seededRandom(5);
        const seen = new Set<string>();
        for (let at = 0; at < runsOn(service, 90); at++) {
          const original = await answered(service, HOME, requestOf(at));
          const body = await answered(service, challengeOf(original), randomChanges(original, random));
          const { valuation, changes, comparables, challenge } = body;
          assert.equal(changes.before.point_value, original.valuation.point_value);
          assert.deepEqual(changes.before.estimators, original.valuation.estimators);
          assert.equal(sumOf(changes.split), valuation.point_value - original.valuation.point_value);
          for (const { cause, amount } of changes.split) if (amount !== 0) seen.add(cause);
          let weighted = 0;
          for (const item of comparables.items) {
            assert.equal(item.adjusted_price, item.sale_price + sumOf(item.adjustments));
            weighted += item.weight * item.adjusted_price;
          }
          assert.equal(valuation.estimators[1].value, Math.round(weighted));
          assert.deepEqual(valuation.model, original.valuation.model);
          assert.equal(valuation.as_of_date, DATE);
          assert.deepEqual([challenge.version, challenge.decision], [1, null]);
          const { challenge: _challenge, ...stored } = body;
          const id = valuation.valuation_id;
          assert.deepEqual((await getFrom(service, `/v1/valuations/${id}`)).body, stored);
          const replay = await answered(service, `/v1/valuations/${id}/replay`, {});
          assert.equal(replay.agrees, true);
        }
        assert.equal(seen.size, 5, [...seen].join());
      });

      await t.test(
        'facts that were left out and then corrected give the full request’s value to the byte',
        async () => {
          const random = seededRandom(9);
          for (let at = 0; at < runsOn(service, 150); at++) {
            const request = requestOf(at);
            const full = await answered(service, HOME, request);
            const optional = Object.keys(request.property_fields).slice(2);
            const hidden = optional.filter(() => random() < 0.5);
            const kept = Object.entries(request.property_fields).filter(([name]) => !hidden.includes(name));
            const partial = { ...request, property_fields: Object.fromEntries(kept) };
            const facts = Object.fromEntries(hidden.map((name) => [name, request.property_fields[name]]));
            const original = await answered(service, HOME, partial);
            const {
              challenge: _,
              changes,
              ...corrected
            } = await answered(service, challengeOf(original), {
              property_fields: facts,
            });
            assert.equal(
              comparable(withoutChoices(corrected)),
              comparable({
                ...full,
                comparables: { ...full.comparables, search: corrected.comparables.search },
              }),
            );
            assert.equal(sumOf(changes.split), full.valuation.point_value - original.valuation.point_value);
          }
        },
      );

      await t.test(
        'a challenge of a challenge is the next version of the original and starts from it',
        async () => {
          const original = await answered(service, HOME, requestOf(3));
          const ids = [original.valuation.valuation_id];
          for (const version of [1, 2, 3]) {
            const body = {
              renovations: [{ description: 'roof', cost: version * 10_000, year: 2026 }],
              note: 'n',
            };
            const url = `/v1/valuations/${ids.at(-1)}/challenge`;
            const { challenge, changes, valuation } = await answered(service, url, body);
            assert.deepEqual([challenge.version, challenge.original_valuation_id], [version, ids[0]]);
            assert.equal(sumOf(changes.split), 6000 * version);
            ids.push(valuation.valuation_id);
          }
          for (const id of ids) {
            const { challenges } = (await getFrom(service, `/v1/valuations/${id}/challenges`)).body;
            assert.deepEqual(
              challenges.map(({ valuation_id, version }: Json) => [valuation_id, version]),
              ids.slice(1).map((one, i) => [one, i + 1]),
            );
          }
        },
      );

      await t.test(
        'a valuation request takes the same members and gives the same value as a challenge',
        async () => {
          const request = requestOf(7);
          const original = await answered(service, HOME, request);
          const { property_fields: _, ...changes } = randomChanges(original, seededRandom(2));
          const { challenge: _challenge, ...challenged } = await answered(
            service,
            challengeOf(original),
            changes,
          );
          const direct = await answered(service, HOME, { ...request, ...changes });
          direct.comparables.search = challenged.comparables.search;
          assert.equal(comparable(direct), comparable(challenged));
        },
      );

      await t.test('changes that do not fit the data are a 422 at their path', async () => {
        const original = await answered(service, HOME, requestOf(11));
        const url = challengeOf(original);
        const [first, second] = original.comparables.items.map(({ comp_id: id }: Json) => id);
        const at = { latitude: 43, longitude: -88, sale_price: 200_000 };
        const { latitude, longitude } = original.address_info;
        const cases: [object, string[], string][] = [
          [{ comparables: { pinned: [{ comp_id: 'nobody' }] } }, ['comparables', 'pinned'], 'comp_id'],
          [{ comparables: { excluded: [{ comp_id: first }] } }, ['comparables', 'excluded'], 'missing'],
          [{ comparables: { excluded: [{ comp_id: first, reason: ' ' }] } }, ['comparables'], 'missing'],
          [
            { comparables: { pinned: [{ comp_id: first }], excluded: [{ comp_id: first, reason: 'x' }] } },
            ['comparables', 'excluded'],
            'duplicate',
          ],
          [
            { comparables: { pinned: [{ comp_id: first }, { comp_id: first }] } },
            ['comparables'],
            'duplicate',
          ],
          [{ comparables: { only_pinned: true } }, ['comparables', 'only_pinned'], 'missing'],
          [
            { comparables: { added: [{ ...at, latitude, longitude, sale_date: formatDay(AS_OF - 9) }] } },
            ['comparables', 'added'],
            'date_out_of_range',
          ],
          [{ comparables: { added: [{ ...at, sale_date: DATE }] } }, ['comparables', 'added'], 'sale'],
          [{ comparables: { added: [{ latitude, longitude }] } }, ['comparables', 'added'], 'missing'],
          [
            { comparables: { added: [{ comp_id: second, sale_price: 1 }] } },
            ['comparables'],
            'not_with_comp_id',
          ],
          [
            { adjustments: [{ comp_id: 'added-1', field: 'site', amount: 1, reason: 'x' }] },
            ['adjustments'],
            'comp_id',
          ],
          [
            { comparables: { pinned: Array.from({ length: 21 }, (_, i) => ({ comp_id: `${i}` })) } },
            ['comparables'],
            'too_long',
          ],
        ];
        for (const [body, path, type] of cases) {
          const problems = await problemsOf(service, url, body);
          const isFound = problems.some(
            (one) => one.type === type && path.every((part, i) => one.loc[i + 1] === part),
          );
          assert.ok(isFound, `${JSON.stringify(body)}: ${JSON.stringify(problems)}`);
        }
        const { challenges } = (await getFrom(service, url.replace('challenge', 'challenges'))).body;
        assert.deepEqual(challenges, []);
      });

      await t.test(
        'a decision is made once, by who may decide, and reaches registered endpoints only',
        async () => {
          const { store, clock } = service.operations;
          const original = await answered(service, HOME, requestOf(13));
          const { challenge } = await answered(service, challengeOf(original), {
            property_fields: { living_area: 1700 },
          });
          const url = `/v1/valuations/${challenge.valuation_id}/decision`;
          const body = { decision: 'rejected', reason: 'The record has the same area' };
          const scopes = ['avm:*', 'valuations:read'] as const;
          const keyOptions = { name: 'no decisions', accountId: 'self', scopes };
          const { text: key } = await createKey({ store, clock, randomBytes }, COMMAND_LINE, keyOptions);
          const refused = await postTo({ app: service.app, key }, url, body);
          assert.deepEqual([refused.status, refused.body.code], [403, 'plan_forbidden']);
          assert.equal((await postTo(service, url, { ...body, reason: ' ' })).status, 422);
          const ofOriginal = `/v1/valuations/${original.valuation.valuation_id}/decision`;
          assert.equal((await postTo(service, ofOriginal, body)).status, 404);
          const receiver = { url: 'https://93.184.216.34/hook', events: ['challenge.decided'] };
          const endpoint = await answered(service, '/v1/webhooks/endpoints', receiver);
          const before = await deliveriesOf(service);
          const { decision } = await answered(service, url, body);
          assert.deepEqual([decision.decision, decision.reason], [body.decision, body.reason]);
          const again = await postTo(service, url, { decision: 'accepted', reason: 'x' });
          assert.deepEqual([again.status, again.body.code], [409, 'conflict']);
          const [delivery, ...others] = (await deliveriesOf(service)).slice(0, -before.length || undefined);
          assert.deepEqual(others, []);
          assert.deepEqual(
            [delivery.type, delivery.valuation_id, delivery.job_id, delivery.notify_url],
            ['challenge.decided', challenge.valuation_id, null, receiver.url],
          );
          const { endpoints } = await answered(
            service,
            `/v1/webhooks/endpoints/${endpoint.endpoint_id}/remove`,
            {},
          );
          assert.deepEqual(endpoints, []);
          const { challenge: next } = await answered(service, challengeOf(original), {});
          await answered(service, `/v1/valuations/${next.valuation_id}/decision`, body);
          assert.equal((await deliveriesOf(service)).length, before.length + 1);
          for (const action of ['valuation.challenged', 'challenge.decided']) {
            const find = `${action} ${challenge.valuation_id}`;
            const { items } = await readAudit(store, { accountId: 'self', find, limit: 9, cursor: null });
            assert.equal(items.length, 1, action);
          }
        },
      );

      await t.test('rents cannot be challenged yet, and the error says so', async () => {
        const rent = await answered(service, '/v1/avm/rental', {
          location: requestOf(0).location,
          property_fields: { units: [{ bedrooms: 2, bathrooms: 1 }] },
        });
        const { status, body } = await postTo(service, challengeOf(rent), {});
        assert.deepEqual([status, body.code], [422, 'invalid_changes']);
        assert.match(body.detail, /of kind rental.* cannot|Only valuations of homes/);
        const missing = '/v1/valuations/00000000-0000-7000-8000-000000000000/challenge';
        assert.equal((await postTo(service, missing, {})).status, 404);
      });

      await t.test('sets chosen by price, unverified sales and excluded neighbors are warnings', async () => {
        let flagged = 0;
        for (let at = 0; at < 10; at++) {
          const original = await answered(service, HOME, requestOf(at));
          const { items } = original.comparables;
          const lowest = items
            .toSorted((a: Json, b: Json) => a.adjusted_price - b.adjusted_price)
            .slice(0, 8);
          const { valuation } = await answered(service, challengeOf(original), {
            comparables: {
              pinned: lowest.map(({ comp_id }: Json) => ({ comp_id })),
              only_pinned: true,
            },
          });
          const rank = /^The comparables look selected by price: (\d+) of 1,999 random sets .* this low\.$/;
          const ranks = valuation.warnings.flatMap(({ message }: Json) => rank.exec(message)?.[1] ?? []);
          if (ranks.length === 1 && Number(ranks[0]) < 50) flagged++;
        }
        assert.ok(flagged >= 9, `${flagged} of 10`);
        const original = await answered(service, HOME, requestOf(5));
        const [best] = original.comparables.items;
        const { comp_id, sale_price, sale_date, latitude, longitude } = best;
        const { valuation } = await answered(service, challengeOf(original), {
          comparables: {
            excluded: [{ comp_id, reason: 'by a highway' }],
            added: [
              { sale_price: 123_456, sale_date: formatDay(AS_OF - 50), latitude, longitude },
              { sale_price, sale_date, address: `${best.street_address}, ${best.city}` },
            ],
          },
        });
        const fields = valuation.warnings
          .filter(({ code }: Json) => code === 'unverified_sale')
          .map(({ field }: Json) => field);
        assert.deepEqual(fields, ['comparables.added.0']);
        assert.ok(codesOf(valuation).includes('most_similar_excluded'));

        const again = await answered(service, challengeOf(original), {
          comparables: {
            added: [{ sale_price, sale_date, address: `${best.street_address}, ${best.city}` }],
          },
        });
        const same = again.comparables.items.filter(
          (item: Json) => item.sale_date === sale_date && item.sale_price === sale_price,
        );
        assert.deepEqual(
          same.map(({ choice }: Json) => choice),
          ['added'],
          'a sale of the market that is stated again is counted once',
        );
        assert.equal(codesOf(again.valuation).includes('most_similar_excluded'), false);
      });
    },
    async (services) => {
      const answers: string[] = [];
      for (const service of services) {
        const original = await answered(service, HOME, requestOf(21));
        const { challenge: _, ...body } = await answered(
          service,
          challengeOf(original),
          randomChanges(original, seededRandom(4)),
        );
        answers.push(comparable(body));
      }
      assert.equal(answers[1], answers[0]);
    },
  );
});

async function deliveriesOf(service: TestService): Promise<Json[]> {
  return (await getFrom(service, '/v1/webhooks/deliveries')).body.deliveries;
}

const codesOf = ({ warnings }: Json): string[] => warnings.map(({ code }: Json) => code);

/** A response without what only a valuation with changes has. */
function withoutChoices({ comparables, ...body }: Json): Json {
  const items = comparables.items.map(({ choice: _choice, ...item }: Json) => item);
  return { ...body, comparables: { ...comparables, items } };
}
