import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import {
  mostSevere,
  NIBRS_OFFENSES,
  OFFENSE_CATEGORIES,
  offenseOfCode,
  offenseOfName,
  SEVERITIES,
} from './nibrs-offenses.ts';

const PUBLISHED = join(import.meta.dirname, '../../../../shared/data/crime/NIBRS_OFFENSE_TYPE.csv.gz');

test(
  'all 86 offenses agree with the table that the FBI publishes',
  {
    skip: existsSync(PUBLISHED) ? false : 'needs shared/data/crime/NIBRS_OFFENSE_TYPE.csv.gz',
  },
  () => {
    const rows: Record<string, string>[] = parse(gunzipSync(readFileSync(PUBLISHED)), { columns: true });
    assert.equal(rows.length, 86);
    const published = rows.map((row) => [
      row.offense_code,
      row.offense_category_name,
      row.offense_name,
      row.crime_against,
      row.offense_group.trim() || null,
    ]);
    const ours = NIBRS_OFFENSES.map(({ code, category, description, crimeAgainst, group }) => [
      code,
      category,
      description,
      crimeAgainst,
      group,
    ]);
    assert.deepEqual(
      ours,
      published.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    );
  },
);

test('each code has the documented severity', () => {
  const codes = (severity: string | null): string =>
    NIBRS_OFFENSES.filter((offense) => offense.severity === severity)
      .map(({ code }) => code)
      .sort()
      .join(' ');
  assert.equal(codes('Severe'), '09A 09B 100 11A 11B 11C 64A 64B');
  assert.equal(codes('High'), '11D 120 13A 200 36A 36B 522 526');
  assert.equal(codes('Moderate'), '13B 210 220 240 35A 520 521');
  assert.equal(codes('Minor'), '23C 23E 23G 35B 90A 90B 90C 90E 90G 90J 90K 90L 90M 90Z');
  assert.equal(codes(null), '09C 90I');
  assert.equal(
    codes('Low'),
    '101 103 13C 23* 23A 23B 23D 23F 23H 250 26A 26B 26C 26D 26E 26F 26G 26H 270 280 290 30A 30B 30C 30D 360 370 ' +
      '39A 39B 39C 39D 40A 40B 40C 49A 49B 49C 510 58A 58B 61A 61B 620 720 90D 90F 90H',
  );
});

test('codes are text: 9A from a spreadsheet is 09A, and other text has no offense', () => {
  assert.equal(offenseOfCode(' 9a ')?.code, '09A');
  assert.equal(offenseOfCode('120')?.description, 'Robbery');
  for (const text of ['', '999', 'robbery', '0', '1200', 'toString']) assert.equal(offenseOfCode(text), null);
  assert.ok(OFFENSE_CATEGORIES.includes('Larceny/Theft Offenses'));
});

test('every name of the table is found with any punctuation', () => {
  for (const { description, code } of NIBRS_OFFENSES) {
    assert.equal(offenseOfName(description.toUpperCase().replaceAll('&', 'and'))?.code, code);
  }
  assert.equal(offenseOfName('Kidnaping')?.code, '100');
  assert.equal(offenseOfName('no such thing'), null);
  assert.equal(offenseOfName('constructor'), null);
});

test('the most severe of several offenses does not depend on their order', () => {
  const offense = fc.constantFrom(...NIBRS_OFFENSES);
  const rank = (severity: string | null): number => {
    const at = SEVERITIES.findIndex((each) => each === severity);
    return at < 0 ? SEVERITIES.length : at;
  };
  fc.assert(
    fc.property(fc.array(offense, { minLength: 1, maxLength: 5 }), (offenses) => {
      const worst = mostSevere(offenses);
      assert.equal(mostSevere([...offenses].reverse()), worst);
      assert.equal(
        rank(worst?.severity ?? null),
        Math.min(...offenses.map(({ severity }) => rank(severity))),
      );
    }),
  );
  assert.equal(mostSevere([]), null);
});
