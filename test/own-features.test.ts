import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay } from '../src/domain/day.ts';
import { splitChange } from '../src/operations/past/split-change.ts';
import { DEFAULT_ACCOUNT_ID } from '../src/store/accounts.ts';
import { findValuation } from '../src/store/valuation-log.ts';
import type { Json } from './json.ts';
import {
  AS_OF,
  comparable,
  county,
  batchOf,
  getFrom,
  onEveryEngine,
  postTo,
  runsOn,
  SAMPLE_WITH_FEATURES,
  startService,
  type TestService,
} from './service-fixture.ts';

const HOME = '/v1/avm/property';
const SEARCH = { num_comps: 0, date: formatDay(AS_OF) };
const sold = county.sales.filter(({ parcel }) => parcel.type === 'houses').map(({ parcel }) => parcel);
/** Each parcel once. */
const houses = [...new Set(sold)];

function requestOf(at: number, features?: object) {
  const { lat: latitude, lon: longitude, attributes } = houses[at % houses.length];
  return {
    location: { latitude, longitude },
    search_params: SEARCH,
    property_fields: {
      total_bedrooms: attributes.bedrooms ?? 3,
      total_bathrooms: attributes.bathrooms ?? 2,
      ...(features && { features }),
    },
  };
}

async function valued(service: TestService, body: unknown, url = HOME): Promise<Json> {
  const answer = await postTo(service, url, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

function inputOf({ valuation }: Json, name: string): Json {
  const found = valuation.inputs.filter(({ field }: Json) => field === `features.${name}`);
  assert.equal(found.length, 1, `inputs have features.${name} once`);
  return found[0];
}

/** Everything but the warnings and where the inputs come from. */
function figuresOf({ valuation, comparables }: Json): Json {
  const { valuation_id: _id, warnings: _warnings, inputs, ...figures } = valuation;
  return { ...figures, comparables, inputs: inputs.map(({ field, value }: Json) => [field, value]) };
}

const warningsOf = ({ valuation }: Json): string[][] =>
  valuation.warnings.map(({ code, field }: Json) => [code, field]);

test('own features of a market', async (t) => {
  await onEveryEngine(
    t,
    (engine) => startService(engine, '', { prepared: SAMPLE_WITH_FEATURES }),
    async (t, service) => {
      await t.test('inputs list each with its value, source and support', async () => {
        const seen = new Set<string>();
        for (let at = 0; at < runsOn(service, 60); at++) {
          const answer = await valued(service, requestOf(at));
          for (const name of ['Grade', 'view']) {
            const { value, source, support } = inputOf(answer, name);
            seen.add(`${name} ${source}`);
            if (source === 'record') assert.equal(support, null);
            else assert.ok(source === 'comparables' && support > 0 && support <= 15, `${source} ${support}`);
            assert.equal(typeof value, name === 'Grade' ? 'number' : 'string');
          }
        }
        const sources = ['Grade comparables', 'Grade record', 'view comparables', 'view record'];
        assert.deepEqual([...seen].sort(), sources);
      });

      await t.test('a feature by request gives the value of a record with it, to the byte', async () => {
        let moved = 0;
        for (let at = 0; at < runsOn(service, 40); at++) {
          const recorded = await valued(service, requestOf(at));
          const known = Object.fromEntries(
            ['Grade', 'view'].flatMap((name) => {
              const { value, source } = inputOf(recorded, name);
              return source === 'record' ? [[name, value]] : [];
            }),
          );
          const stated = await valued(service, requestOf(at, known));
          assert.deepEqual(figuresOf(stated), figuresOf(recorded));
          for (const name of Object.keys(known)) assert.equal(inputOf(stated, name).source, 'request');
          const other = await valued(service, requestOf(at, { grade: Number(known.Grade ?? 4) + 3 }));
          if (other.valuation.point_value !== recorded.valuation.point_value) moved++;
        }
        assert.ok(moved > 0.9 * runsOn(service, 40), `${moved} values moved with the grade`);
      });

      await t.test('names and values are read as an import reads them', async () => {
        const forms = [
          { Grade: 6, view: 'LAKE' },
          { grade: '6', VIEW: 'lake' },
          { GRADE: ' 6.0 ', view: '  Lake ' },
          { gradE: 6, View: 'LAKE', other: null, empty: '' },
        ];
        const answers = [];
        for (const form of forms) answers.push(comparable(await valued(service, requestOf(1, form))));
        assert.equal(new Set(answers).size, 1);
        const query = new URLSearchParams({
          latitude: String(houses[1].lat),
          longitude: String(houses[1].lon),
          date: SEARCH.date,
          total_bedrooms: String(requestOf(1).property_fields.total_bedrooms),
          total_bathrooms: String(requestOf(1).property_fields.total_bathrooms),
          features: JSON.stringify(forms[0]),
        });
        const byGet = await getFrom(service, `${HOME}?${query.toString()}`);
        assert.equal(comparable(byGet.body), answers[0]);
      });

      await t.test('unknown names and categories are warnings, and not given', async () => {
        const plain = await valued(service, requestOf(2));
        const answer = await valued(service, requestOf(2, { view: 'CASTLE', turret: true }));
        assert.deepEqual(figuresOf(answer), figuresOf(plain));
        const codes = [
          ['unknown_feature_value', 'features.view'],
          ['unknown_feature', 'features.turret'],
        ];
        assert.deepEqual(warningsOf(answer).slice(-2), codes);
        const far = await valued(service, requestOf(2, { grade: 900 }));
        assert.deepEqual(warningsOf(far).at(-1), ['outside_training_range', 'features.Grade']);
      });

      await t.test(
        'a text for a number is a 422 with its path, in a batch the error of its item',
        async () => {
          const wrong = requestOf(3, { GRADE: 'very good', view: 'LAKE' });
          const answer = await postTo(service, HOME, wrong);
          assert.equal(answer.status, 422);
          const [{ loc, type, input }] = answer.body.detail;
          assert.deepEqual(loc, ['body', 'property_fields', 'features', 'GRADE']);
          assert.deepEqual([type, input, answer.body.detail.length], ['number_type', 'very good', 1]);
          const results = await batchOf(service, [requestOf(3), wrong]);
          assert.deepEqual(
            results.map(({ error_code }) => error_code),
            [null, 'invalid_feature'],
          );
          const everything = await postTo(service, '/v1/comprehensive', {
            ...wrong,
            requests: ['property-avm'],
          });
          assert.deepEqual([everything.status, everything.body.code], [422, 'invalid_feature']);
        },
      );

      await t.test('limits are checked with the path of the member', async () => {
        const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, i]));
        const cases = [
          [many, 'too_long', ['features']],
          [{ ['x'.repeat(101)]: 1 }, 'name_too_long', ['features']],
          [{ view: 'x'.repeat(201) }, 'string_too_long', ['features', 'view']],
          [{ view: ['LAKE'] }, 'scalar_type', ['features', 'view']],
          [{ view: 'LAKE', VIEW: 'Park' }, 'alias_conflict', ['features', 'VIEW']],
          [[], 'object_type', ['features']],
        ] as const;
        for (const [features, type, path] of cases) {
          const { status, body } = await postTo(service, HOME, requestOf(4, features));
          const found = body.detail.map((error: Json) => [error.type, error.loc]);
          assert.deepEqual([status, found], [422, [[type, ['body', 'property_fields', ...path]]]]);
        }
      });

      await t.test('batches, rents, buildings and the comprehensive operation take them too', async () => {
        const features = { grade: 7, view: 'Park' };
        const single = await valued(service, requestOf(5, features));
        const [item] = await batchOf(service, [requestOf(5, features)]);
        assert.equal(comparable(item.data), comparable(single));
        const both = await valued(service, requestOf(5, features), '/v1/comprehensive');
        assert.deepEqual(figuresOf(both.property_avm), figuresOf(single));

        const { location, search_params } = requestOf(5);
        const rental = { units: [{ bedrooms: 2, bathrooms: 1 }], features: { FLOOR: 3, grade: 7 } };
        const rent = await valued(
          service,
          { location, search_params, property_fields: rental },
          '/v1/avm/rental',
        );
        assert.deepEqual(inputOf(rent, 'floor'), {
          field: 'features.floor',
          value: 3,
          source: 'request',
          support: null,
          unit_index: null,
        });
        const unknown = warningsOf(rent).filter(([code]) => code === 'unknown_feature');
        assert.deepEqual(unknown, [['unknown_feature', 'features.grade']]);

        const building = { bedrooms: 8, bathrooms: 4, total_units: 4, features };
        const whole = await valued(
          service,
          { location, search_params, property_fields: building },
          '/v1/avm/multifamily',
        );
        assert.equal(inputOf(whole, 'Grade').source, 'request');
      });

      await t.test('a feature that the later model does not use is no change of facts', async () => {
        const { operations } = service;
        for (let at = 0; at < 5; at++) {
          const { valuation_id: id } = (await valued(service, requestOf(at, { grade: 9 }))).valuation;
          const record = await findValuation(operations.store, DEFAULT_ACCOUNT_ID, id);
          assert.ok(record);
          const inputs = JSON.parse(record.inputs);
          const { Grade: grade, ...features } = inputs.subject.home.features;
          assert.ok(grade, 'the model of then uses the grade');
          inputs.subject.home.features = features;
          const later = { ...record, valuationId: operations.newId(), inputs: JSON.stringify(inputs) };
          await operations.valuationLog.append(later);
          const split = await splitChange(operations, DEFAULT_ACCOUNT_ID, id, later.valuationId);
          assert.deepEqual(split, { market: 0, comparables: 0, facts: 0, model: 0 });
        }
      });

      await t.test('a replay gives the same bytes', async () => {
        const { valuation } = await valued(service, requestOf(6, { grade: 5, view: 'STREET', moat: 1 }));
        const replay = await postTo(service, `/v1/valuations/${valuation.valuation_id}/replay`, {});
        assert.deepEqual([replay.status, replay.body.agrees], [200, true]);
      });

      await t.test('coverage lists them', async () => {
        const { markets } = (await getFrom(service, '/v1/coverage')).body;
        const [grade, view] = markets[0].features;
        assert.deepEqual([grade.name, grade.kind, grade.values], ['Grade', 'number', null]);
        assert.ok(grade.minimum < 4 && grade.maximum > 6 && Math.abs(grade.known_share - 0.9) < 0.01);
        assert.deepEqual([view.name, view.kind, view.minimum], ['view', 'category', null]);
        assert.deepEqual(view.values, ['LAKE', 'Park', 'STREET']);
        assert.deepEqual(
          markets[0].rent_features.map(({ name }: Json) => name),
          ['floor'],
        );
      });
    },
    async (services) => {
      const features = { grade: 7, view: 'Park', moat: false };
      const answers = await Promise.all(services.map((service) => valued(service, requestOf(7, features))));
      assert.equal(new Set(answers.map(comparable)).size, 1);
    },
  );
});
