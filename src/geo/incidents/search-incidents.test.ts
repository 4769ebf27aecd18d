import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { casesOf } from '../../../test/harness/cases.ts';
import { compareIncidentOrder, placeOfIncident, type Incident } from '../../domain/crime/incident.ts';
import { NIBRS_OFFENSES, offenseOfCode } from '../../domain/crime/nibrs-offenses.ts';
import { localTimeAt } from '../../domain/local-time.ts';
import { distanceMi } from '../distance.ts';
import {
  buildIncidentColumns,
  decodeIncidentColumns,
  encodeIncidentColumns,
  newestFirst,
  NO_OFFENSE,
  type IncidentColumns,
} from './incident-columns.ts';
import { COVERS_WITHIN_MI, searchIncidents, type IncidentQuery } from './search-incidents.ts';

const CENTER = { lat: 43.04, lon: -87.91 };
const degrees = fc.double({ min: -0.05, max: 0.05, noNaN: true });
const day = fc.integer({ min: 16_000, max: 16_010 });

const incidents: fc.Arbitrary<Incident> = fc
  .record({
    // Few ids, so that two datasets share some: what shares an id is the same incident.
    id: fc.integer({ min: 1, max: 400 }),
    north: degrees,
    east: degrees,
    hour: fc.option(fc.integer({ min: 16_000 * 24, max: 16_010 * 24 }), { freq: 9 }),
    code: fc.option(fc.constantFrom(...NIBRS_OFFENSES.map(({ code }) => code)), { freq: 9 }),
    agency: fc.constantFrom('A', 'B', 'C'),
  })
  .map(({ id, north, east, hour, code, agency }) => ({
    id,
    referenceId: null,
    agency,
    occurred: hour === null ? null : localTimeAt(hour * 3_600_000, -360),
    lat: CENTER.lat + north,
    lon: CENTER.lon + east,
    offenseCode: code,
    offenseText: null,
    address: null,
    persons: null,
  }));

const datasets = fc.uniqueArray(incidents, { selector: ({ id }) => id, maxLength: 300 });

const queries: fc.Arbitrary<IncidentQuery> = fc.record({
  lat: degrees.map((north) => CENTER.lat + north),
  lon: degrees.map((east) => CENTER.lon + east),
  radiusMi: fc.double({ min: 0.1, max: 5, noNaN: true }),
  from: fc.option(day),
  to: fc.option(day),
  offenses: fc.option(
    fc.array(fc.constantFrom(0, 1), { minLength: 256, maxLength: 256 }).map((bits) => Uint8Array.from(bits)),
  ),
  after: fc.option(
    fc.record({
      utcMs: fc.integer({ min: 16_000 * 24, max: 16_010 * 24 }).map((hour) => hour * 3_600_000),
      id: fc.integer({ min: 0, max: 400 }),
    }),
  ),
  limit: fc.integer({ min: 1, max: 20 }),
});

const columnsOf = (set: readonly Incident[]): IncidentColumns =>
  decodeIncidentColumns(encodeIncidentColumns(buildIncidentColumns(newestFirst(set))));

/** Looking at every incident. */
function naiveSearch(sets: readonly (readonly Incident[])[], query: IncidentQuery): Incident[] {
  const seen = new Set<number>();
  const found = sets.flat().filter((incident) => {
    const { occurred, offenseCode, lat, lon } = incident;
    const no = offenseCode === null ? NO_OFFENSE : (offenseOfCode(offenseCode)?.no ?? NO_OFFENSE);
    const isDue =
      (query.from === null || (occurred !== null && occurred.day >= query.from)) &&
      (query.to === null || (occurred !== null && occurred.day <= query.to));
    const isWanted = query.offenses === null || query.offenses[no] === 1;
    const isNear = distanceMi(query.lat, query.lon, lat, lon) <= query.radiusMi;
    if (!isDue || !isWanted || !isNear || seen.has(incident.id)) return false;
    seen.add(incident.id);
    return true;
  });
  return found.sort((a, b) => compareIncidentOrder(placeOfIncident(a), placeOfIncident(b)));
}

test('a search finds, counts and orders the same incidents as a scan', () => {
  fc.assert(
    fc.property(fc.array(datasets, { maxLength: 3 }), queries, (sets, query) => {
      const found = searchIncidents(sets.map(columnsOf), query);
      const all = naiveSearch(sets, query);
      const { after } = query;
      const rest =
        after === null ? all : all.filter((each) => compareIncidentOrder(placeOfIncident(each), after) > 0);
      assert.deepEqual(
        found.listed.map(({ id, utcMs }) => ({ id, utcMs })),
        rest.slice(0, query.limit).map((each) => ({ id: each.id, utcMs: placeOfIncident(each).utcMs })),
      );
      assert.equal(found.hasMore, rest.length > query.limit);
      const counts = new Uint32Array(256);
      for (const { offenseCode } of all) {
        counts[offenseCode === null ? NO_OFFENSE : (offenseOfCode(offenseCode)?.no ?? NO_OFFENSE)]++;
      }
      assert.deepEqual(found.countOfOffense, counts);
    }),
    { numRuns: casesOf(300) },
  );
});

test('paging lists every incident once, in order', () => {
  fc.assert(
    fc.property(datasets, queries, (set, query) => {
      const columns = columnsOf(set);
      const ids: number[] = [];
      let after: IncidentQuery['after'] = null;
      for (let more = true; more;) {
        const page = searchIncidents([columns], { ...query, after });
        ids.push(...page.listed.map(({ id }) => id));
        more = page.hasMore;
        after = page.listed.at(-1) ?? null;
      }
      assert.deepEqual(
        ids,
        naiveSearch([set], query).map(({ id }) => id),
      );
    }),
  );
});

test('an agency covers a place if it ever recorded anything within the radius or a mile', () => {
  fc.assert(
    fc.property(datasets, queries, (set, query) => {
      const columns = columnsOf(set);
      const { coveringAgencies } = searchIncidents([columns], query);
      columns.agencies.forEach(({ name, incidents: count, from, to }, no) => {
        const own = set.filter(({ agency }) => agency === name);
        const reach = Math.max(query.radiusMi, COVERS_WITHIN_MI);
        const isNear = own.some(({ lat, lon }) => distanceMi(query.lat, query.lon, lat, lon) <= reach);
        assert.equal(coveringAgencies[0][no] === 1, isNear);
        assert.equal(count, own.length);
        const days = own.flatMap(({ occurred }) => (occurred ? [occurred.day] : [])).sort((a, b) => a - b);
        assert.deepEqual([from, to], [days[0] ?? null, days.at(-1) ?? null]);
      });
    }),
  );
});
