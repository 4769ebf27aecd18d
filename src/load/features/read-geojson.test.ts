import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { test } from 'node:test';
import { casesOf } from '../../../test/harness/cases.ts';
import { PlumblineError } from '../../errors.ts';
import type { Feature } from './feature.ts';
import { readGeoJson } from './read-geojson.ts';

/** Reads a text whose bytes arrive in chunks cut at these shares of it. */
async function read(text: string, cuts: readonly number[] = []): Promise<Feature[]> {
  const bytes = Buffer.from(text);
  async function* chunks(): AsyncGenerator<Buffer> {
    let at = 0;
    const ends = cuts.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b);
    for (const end of [...ends, bytes.length]) {
      // Streams reuse their buffers: a chunk may change after it was read.
      const chunk = Buffer.from(bytes.subarray(at, end));
      yield chunk;
      chunk.fill(0x7b);
      at = end;
    }
  }
  const features: Feature[] = [];
  for await (const feature of readGeoJson('a.json', chunks(), 'areas')) features.push(feature);
  return features;
}

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
const properties = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
const coordinate = fc.oneof(
  fc.double({ min: -85, max: 85, noNaN: true }),
  fc
    .tuple(fc.integer({ min: -85, max: 84 }), fc.nat({ max: 9_999_999 }))
    .map((digits) => Number(digits.join('.'))),
);
const features = fc.array(
  fc.record({
    type: fc.constant('Feature'),
    id: fc.option(fc.string()),
    properties,
    geometry: fc.record({
      type: fc.constant('Polygon'),
      coordinates: fc
        .array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 6 })
        .map((points) => [[...points, points[0]]]),
    }),
  }),
  { maxLength: 4 },
);
/** Members in any order, some of them foreign. */
const collections = fc
  .tuple(features, properties, fc.nat({ max: 2 }), fc.boolean())
  .map(([all, foreign, indent, isFirst]) => {
    const { features: _, crs: __, ...others } = { ...foreign, features: null, crs: null };
    const collection = isFirst
      ? { features: all, others }
      : { others, type: 'FeatureCollection', features: all };
    return { all, text: JSON.stringify(collection, null, indent) };
  });

test('features are read as JSON.parse reads them, in any chunks and order of members', async () => {
  await fc.assert(
    fc.asyncProperty(collections, cuts, async ({ all, text }, at) => {
      const parsed: typeof all = JSON.parse(text).features;
      const scalars = parsed.map(({ id, properties: members }) => {
        const named = Object.entries(members).filter(
          ([, value]) => value === null || typeof value !== 'object',
        );
        return { ...(id === null ? {} : { id }), ...Object.fromEntries(named) };
      });
      const whole = await read(text);
      assert.deepEqual(
        whole.map((feature) => feature.properties),
        scalars,
      );
      assert.deepEqual(
        whole.map(({ line }) => line),
        parsed.map((_, i) => i + 1),
      );
      for (const [i, { shape }] of whole.entries()) {
        if ('fault' in shape) continue;
        const points = shape.polygons.flat().flatMap((ring) => [...ring]);
        const given = new Set(parsed[i].geometry.coordinates.flat(2).map((value) => value + 0));
        assert.ok(
          points.every((value) => given.has(value)),
          'to the last bit',
        );
      }
      assert.deepEqual(await read(text, at), whole);
    }),
    { numRuns: casesOf(400) },
  );
});

test('a damaged text is rejected whenever JSON.parse rejects it', async () => {
  const shards = ['"', ',', ':', '[', ']', '{', '}', '1', '-', '.', 'e', 'true', 'nul', '\\', '01', ' ', '#'];
  const damages = fc.array(
    fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 4 }), fc.constantFrom(...shards)),
    { minLength: 1, maxLength: 3 },
  );
  await fc.assert(
    fc.asyncProperty(collections, damages, cuts, async ({ text }, damage, at) => {
      let damaged = text;
      for (const [share, cut, shard] of damage) {
        const start = Math.floor(share * damaged.length);
        damaged = damaged.slice(0, start) + shard + damaged.slice(start + cut);
      }
      damaged = Buffer.from(damaged).toString();
      let isSound = true;
      try {
        JSON.parse(damaged);
      } catch {
        isSound = false;
      }
      const outcome = await read(damaged, at).catch((error: unknown) => error);
      if (!isSound) assert.ok(outcome instanceof PlumblineError, damaged);
      else assert.ok(!(outcome instanceof Error) || outcome instanceof PlumblineError, String(outcome));
    }),
    { numRuns: casesOf(1500) },
  );
});

test('a list of features is read only if it is valid JSON; elements that are not features are left out', async () => {
  for (const text of ['[-{}]', '[1.{}]', '[{}.5]', '["a"{}]', '[{}{}]', '[{},]']) {
    await assert.rejects(read(`{"features":${text}}`), /JSON is damaged/, text);
  }
  const lines = (await read('{"features":[null,1,{},"a",{}]}')).map(({ line }) => line);
  assert.deepEqual(lines, [1, 2]);
});

test('a text that never ends or nests without end is given up early', async () => {
  const fails = (text: string, words: RegExp): Promise<void> => assert.rejects(read(text), words);
  await fails(`{"a":"${'a'.repeat(70_000)}"}`, /longer than 64 KB/);
  await fails(`{"a":"${'a'.repeat(70_000)}`, /longer than 64 KB/);
  await fails(`{"features":[{"a":${'['.repeat(33)}`, /more than 32 deep/);
  await fails('{"features":[{"a":[1,2', /ends before it is complete/);
});

test('NaN and Infinity, as Python writes them, are null, but not within a text', async () => {
  const [feature] = await read(
    '{"features":[{"properties":{"a":NaN,"b":-Infinity,"c":"a \\"NaN\\" value","d":1},"geometry":null}]}',
  );
  assert.deepEqual(feature.properties, { a: null, b: null, c: 'a "NaN" value', d: 1 });
});
