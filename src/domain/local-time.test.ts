import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseDay } from './day.ts';
import { localTimeAt, openWallClock, parseWrittenTime, type WallClock } from './local-time.ts';

function clockOf(zone: string): WallClock {
  const clock = openWallClock(zone);
  assert.ok(clock, zone);
  return clock;
}

function localTextAt(zone: string, text: string): string {
  const wall = parseWrittenTime(text);
  assert.ok(wall, text);
  return clockOf(zone)(wall).text;
}

test('a local time gets the offset of its place and date', () => {
  assert.equal(localTextAt('America/Chicago', '12/31/2014 08:06 AM'), '2014-12-31T08:06:00-06:00');
  assert.equal(localTextAt('America/Chicago', '2014-07-01 20:06'), '2014-07-01T20:06:00-05:00');
  assert.equal(localTextAt('America/Phoenix', '2014-07-01 20:06:09'), '2014-07-01T20:06:09-07:00');
  assert.equal(localTextAt('Asia/Kathmandu', '2014-07-01'), '2014-07-01T00:00:00+05:45');
  // Until 2006, daylight time started in April.
  assert.equal(localTextAt('America/Los_Angeles', '2001-03-20 12:00'), '2001-03-20T12:00:00-08:00');
});

test('of a repeated hour the first is used, and for a missing hour the next', () => {
  assert.equal(localTextAt('America/Chicago', '2014-11-02 01:30'), '2014-11-02T01:30:00-05:00');
  assert.equal(localTextAt('America/Chicago', '2014-11-02 00:59:59'), '2014-11-02T00:59:59-05:00');
  assert.equal(localTextAt('America/Chicago', '2014-11-02 02:00'), '2014-11-02T02:00:00-06:00');
  assert.equal(localTextAt('America/Chicago', '2014-03-09 01:59'), '2014-03-09T01:59:00-06:00');
  assert.equal(localTextAt('America/Chicago', '2014-03-09 02:30'), '2014-03-09T03:30:00-05:00');
  assert.equal(localTextAt('America/Chicago', '2014-03-09 03:00'), '2014-03-09T03:00:00-05:00');
  // A half-hour change, in the southern hemisphere.
  assert.equal(localTextAt('Australia/Lord_Howe', '2015-04-05 01:45'), '2015-04-05T01:45:00+11:00');
});

test('the instant is kept, and local time is as written except in a missing hour', () => {
  const zones = [
    'America/Chicago',
    'America/Los_Angeles',
    'Pacific/Honolulu',
    'Europe/London',
    'Asia/Kolkata',
  ];
  const clocks = new Map(zones.map((zone) => [zone, clockOf(zone)]));
  const wallOf = (utcMs: number, timeZone: string): string =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(utcMs);
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 5000, max: 25_000 }),
      fc.integer({ min: 0, max: 86_399 }),
      (zone, day, secondOfDay) => {
        const clock = clocks.get(zone) ?? assert.fail();
        const local = clock({ day, secondOfDay });
        assert.equal(Date.parse(local.text), local.utcMs);
        assert.equal(wallOf(local.utcMs, zone), local.text.slice(0, 19).replace('T', ' '));
        const written = new Date((day * 86_400 + secondOfDay) * 1000).toISOString().slice(0, 19);
        // A missing hour never lasts longer than an hour here, and is reported an hour later.
        if (local.text.slice(0, 19) !== written) assert.equal(local.text.slice(13, 19), written.slice(13));
      },
    ),
  );
});

test('times are read in the formats of publishers, and no other text is a time', () => {
  const read = (text: string): unknown => {
    const time = parseWrittenTime(text);
    return (
      time &&
      localTimeAt(time.day * 86_400_000 + time.secondOfDay * 1000, 0).text + (time.offsetMinutes ?? '')
    );
  };
  assert.equal(read('02/05/2020 12:00:00 AM'), '2020-02-05T00:00:00+00:00');
  assert.equal(read('2/5/2020 12:01 p.m.'), '2020-02-05T12:01:00+00:00');
  assert.equal(read('2020-02-05T21:39:33.123Z'), '2020-02-05T21:39:33+00:000');
  assert.equal(read('2020-02-05T21:39:33-0630'), '2020-02-05T21:39:33+00:00-390');
  assert.equal(read('20200205 2139'), '2020-02-05T21:39:00+00:00');
  assert.equal(read('2008 Jan 01 12:05:00 AM'), '2008-01-01T00:05:00+00:00');
  assert.equal(parseWrittenTime('2020-02-05')?.day, parseDay('2020-02-05'));
  const wrong = [
    '',
    'soon',
    '2020-02-30',
    '13/01/2020',
    '2020-02-05 24:00',
    '2020-02-05 12:60',
    '0:00',
    '2020-2',
  ];
  for (const text of [
    ...wrong,
    '1/1/2020 13:00 PM',
    '1/1/2020 0:30 AM',
    '2020-02-05 12:00 CST',
    '2020 Foo 05',
  ]) {
    assert.equal(parseWrittenTime(text), null, text);
  }
});

test('an unknown time zone gives null', () => {
  assert.equal(openWallClock('America/Milwaukee'), null);
  assert.equal(openWallClock(''), null);
});
