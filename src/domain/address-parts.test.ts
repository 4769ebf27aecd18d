import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { addressKeyOf, directionsOf, streetLineKeyOf, rangeEnds } from './address-key.ts';
import { addressPartsOf, addressReadings, parseAddress } from './address-parts.ts';
import { cpuSecondsOf } from '../../test/harness/cpu-time.ts';
import { anyText } from '../../test/harness/any-text.ts';

/** Text → number|directions|name|type|unit|city|state|ZIP. */
const TABLE: readonly (readonly [string, string])[] = [
  ['2263 N Lake Dr', '2263|N|LAKE|DR||||'],
  ['2263 North Lake Drive, Milwaukee, WI 53202', '2263|N|LAKE|DR||MILWAUKEE|WI|53202'],
  ['2263 n. lake dr. milwaukee wi 53202-1234', '2263|N|LAKE|DR||MILWAUKEE|WI|53202'],
  ['2263 N LAKE DR #CCA', '2263|N|LAKE|DR|CCA|||'],
  ['2263 N Lake Dr\nMilwaukee, Wisconsin\nUSA', '2263|N|LAKE|DR||MILWAUKEE|WI|'],
  ['9400-9408 W Bradley Rd', '9400-9408|W|BRADLEY|RD||||'],
  ['9400 – 08 W Bradley Rd', '9400-9408|W|BRADLEY|RD||||'],
  ['45-12 31st Ave, Queens, NY 11103', '45-12||31|AVE||QUEENS|NY|11103'],
  ['1234 1/2 N 5th St Apt 3', '12341/2|N|5|ST|3|||'],
  ['1234½ Fifth Street', '12341/2||5|ST||||'],
  ['1234-1/2 5 Street', '12341/2||5|ST||||'],
  ['123A W St Paul Ave', '123A|W|SAINTPAUL|AVE||||'],
  ['123-A W Saint Paul Avenue', '123A|W|SAINTPAUL|AVE||||'],
  ['771-U23 N WATER ST, Unit 23', '771U23|N|WATER|ST|23|||'],
  ['123 A Main St', '123A||MAIN|ST||||'],
  ['4010 A ST SE AUBURN 98002', '4010|SE|A|ST||AUBURN||98002'],
  ['0123 Main St', '123||MAIN|ST||||'],
  ['100 W COURT ST', '100|W|COURT|ST||||'],
  ['1300 NORTH AVE', '1300||NORTH|AVE||||'],
  ['1300 W NORTH AV', '1300|W|NORTH|AVE||||'],
  ['500 E ST NW, Washington, DC', '500|NW|E|ST||WASHINGTON|DC|'],
  ['33521 SE REDMOND FALL CITY RD FALL CITY 98024', '33521|SE|REDMONDFALLCITY|RD||FALL CITY||98024'],
  ['7671 SE 27TH ST MERCER ISLAND 98040', '7671|SE|27|ST||MERCER ISLAND||98040'],
  ['24817 PACIFIC HWY S STE #206 KENT 98032', '24817|S|PACIFIC|HWY|206|KENT||98032'],
  ['3621 33RD AVE S STE C5-C6 SEATTLE', '3621|S|33|AVE|C5C6|SEATTLE||'],
  ['12670 120th AVE NE BLDG E KIRKLAND 98034', '12670|NE|120|AVE|E|KIRKLAND||98034'],
  ['705 SW MT SI BL NORTH BEND 98045', '705|SW|MOUNTSI|BLVD||NORTH BEND||98045'],
  ['1401 S 348TH ST M105 FEDERAL WAY 98003', '1401|S|348|ST|M105|FEDERAL WAY||98003'],
  ['10836 E MARGINAL WAY S TUKWILA 98168', '10836|E S|MARGINAL|WAY||TUKWILA||98168'],
  ['123 BROADWAY E, Seattle', '123|E|BROADWAY|||SEATTLE||'],
  ['123 MAPLE LA', '123||MAPLE|LN||||'],
  ['123 N MAPLE WA SEATTLE WA', '123|N|MAPLE|WAY||SEATTLE|WA|'],
  ['100 Kings Highway Pl', '100||KINGSHIGHWAY|PL||||'],
  ['W156 N8480 Pilgrim Rd, Menomonee Falls, WI', 'W156N8480||PILGRIM|RD||MENOMONEE FALLS|WI|'],
  ['N88W16621 Appleton Ave', 'N88W16621||APPLETON|AVE||||'],
  ['350 South 200 East, Salt Lake City, UT', '350|E S|200|||SALT LAKE CITY|UT|'],
  ['5 Main St, New York, NY 10001', '5||MAIN|ST||NEW YORK|NY|10001'],
  ['5 Main St, New York 10001', '5||MAIN|ST||NEW YORK||10001'],
  ['1 Elm St, Charleston, West Virginia 25301', '1||ELM|ST||CHARLESTON|WV|25301'],
  ['1600 Pennsylvania Avenue N.W., Washington, D.C. 20500', '1600|NW|PENNSYLVANIA|AVE||WASHINGTON|DC|20500'],
  ['One Microsoft Way, Redmond, WA', '1||MICROSOFT|WAY||REDMOND|WA|'],
  ['8500 US HWY 41 N, Milwaukee', '8500|N|USHIGHWAY41|||MILWAUKEE||'],
  ['12 County Road 7', '12||COUNTYROAD7|||||'],
  ['12 Avenue C', '12||AVENUEC|||||'],
  ['100 Avenue of the Americas, New York, NY', '100||AVENUEOFTHEAMERICAS|||NEW YORK|NY|'],
  ['Apt 3, 123 Main St, Milwaukee', '123||MAIN|ST|3|MILWAUKEE||'],
  ['#3 123 Main St, Milwaukee, WI', '123||MAIN|ST|3|MILWAUKEE|WI|'],
  ['123 Main St, 2nd Floor, Milwaukee WI', '123||MAIN|ST|FL2|MILWAUKEE|WI|'],
  ['123 Main St, Unit 9', '123||MAIN|ST|9|||'],
  ['2650 S 60TH ST, Unt 7', '2650|S|60|ST|7|||'],
  ['2650 S 60TH ST Unt 7, Milwaukee, WI', '2650|S|60|ST|7|MILWAUKEE|WI|'],
  ['2650 S 60th St, appt 4B, Milwaukee', '2650|S|60|ST|4B|MILWAUKEE||'],
  ['2650 S Unity St, Unity', '2650|S|UNITY|ST||UNITY||'],
  ['123 Main St, 4B, Milwaukee', '123||MAIN|ST|4B|MILWAUKEE||'],
  ['123 Main St Upper, Milwaukee', '123||MAIN|ST|UPPR|MILWAUKEE||'],
  ['123 Main St apt lower Milwaukee', '123||MAIN|ST|LOWR|MILWAUKEE||'],
  ['3720 N Dr. Martin Luther King, Jr. Dr', '3720|N|MARTINLUTHERKING|DR||||'],
  ['3720 N MLK DR', '3720|N|MARTINLUTHERKING|DR||||'],
  ['3287A N DR LESTER CARTER DR', '3287A|N|DOCTORLESTERCARTER|DR||||'],
  ['123 Twenty-First St', '123||21|ST||||'],
  ["12 O'Brien Ct.", '12||OBRIEN|CT||||'],
  ['12 Cañon Rd', '12||CANON|RD||||'],
  ['12 Kent-Kangley Road', '12||KENTKANGLEY|RD||||'],
  ['Sears Tower, 233 S Wacker Dr, Chicago, IL', '233|S|WACKER|DR||CHICAGO|IL|'],
  ['123, Main St, Seattle', '123||MAIN|ST||SEATTLE||'],
  ['123 MAIN ST, SEATTLE, WA, 98101, United States of America', '123||MAIN|ST||SEATTLE|WA|98101'],
  ['123 Main St, City of St. Francis, WI', '123||MAIN|ST||SAINT FRANCIS|WI|'],
  ['', '||||||||'.slice(1)],
];

test('addresses written in common ways are parsed into the right parts', () => {
  for (const [text, key] of TABLE) assert.equal(addressKeyOf(parseAddress(text)), key, text);
});

test('without a comma between street and city, the right interpretation is one of the others', () => {
  const hasReading = (text: string, key: string): boolean =>
    addressReadings(text).some((reading) => addressKeyOf(reading) === key);
  assert.ok(hasReading('801 BROADWAY SEATTLE WA 98122', '801||BROADWAY|||SEATTLE|WA|98122'));
  assert.ok(hasReading('11301 W METRO AUTO MALL MILWAUKEE WI', '11301|W|METROAUTO|MALL||MILWAUKEE|WI|'));
  assert.ok(hasReading('1305 north broadway milwaukee wisconsin', '1305|N|BROADWAY|||MILWAUKEE|WI|'));
});

const NUMBERS = ['7', '2263', '123A', '9400-9408', '1234 1/2'];
const DIRECTIONS = [
  ['', ''],
  ['N', 'North'],
  ['SW', 'Southwest'],
] as const;
const NAMES = [
  'Lake',
  'Maple Grove',
  'Forest Hill',
  'O’Brien',
  'Kinnickinnic',
  '5th|Fifth|5',
  '21st|Twenty-First|21',
];
const TYPES = [
  'AVE|AV|Avenue|Ave.',
  'BLVD|BL|Boulevard',
  'LN|LA|Lane',
  'PKWY|PK|Parkway',
  'ST|Street|St.',
  'DR|Drive|dr',
];
const UNITS = ['', '#A|apt a|Unit A|STE #A', '12|no', '#2-B|Apt 2B|unit 2-b'];
const CITIES = ['Milwaukee', 'Mercer Island', 'St. Francis', 'Federal Way'];
const STATES = ['WI|Wisconsin|wi', 'WA|Washington', 'NH|New Hampshire'];

const pick = <T>(from: readonly T[]) => fc.constantFrom(...from);
const spell = (spellings: string, n: number): string => {
  const all = spellings.split('|');
  return all[n % all.length];
};

test('case, punctuation, abbreviations and the position of the direction do not change the key', () => {
  const address = fc.record({
    number: pick(NUMBERS),
    direction: pick(DIRECTIONS),
    name: pick(NAMES),
    type: pick(TYPES),
    unit: pick(UNITS.filter((unit) => !unit.startsWith('12'))),
    city: pick(CITIES),
    state: pick(STATES),
  });
  const style = fc.record({
    spelling: fc.nat(11),
    isUpper: fc.boolean(),
    hasCommas: fc.boolean(),
    isAfter: fc.boolean(),
    tail: pick(['', ' USA', ', United States']),
    gap: pick([' ', '  ', ' \t']),
    zip: pick(['53202', '53202-1234']),
  });
  const write = (
    a: typeof address extends fc.Arbitrary<infer A> ? A : never,
    s: typeof style extends fc.Arbitrary<infer S> ? S : never,
  ): string => {
    const direction = a.direction[s.hasCommas ? s.spelling % 2 : 0];
    const street = [
      a.number,
      s.isAfter ? '' : direction,
      spell(a.name, s.spelling),
      spell(a.type, s.spelling),
      s.isAfter ? direction : '',
      spell(a.unit, s.spelling),
    ];
    const comma = s.hasCommas ? ', ' : ' ';
    const line = street.filter((word) => word !== '').join(s.gap);
    const text = `${line}${comma}${a.city}${comma}${spell(a.state, s.spelling)}${s.gap}${s.zip}${s.tail}`;
    return s.isUpper ? text.toUpperCase() : text;
  };
  fc.assert(
    fc.property(address, style, style, (a, one, other) => {
      assert.equal(addressKeyOf(parseAddress(write(a, one))), addressKeyOf(parseAddress(write(a, other))));
    }),
    { numRuns: 5000 },
  );
});

test('any text is parsed quickly and without throwing', async () => {
  fc.assert(
    fc.property(fc.oneof(anyText({ maxLength: 500 }), fc.string({ unit: 'grapheme' })), (text) => {
      for (const part of Object.values(parseAddress(text))) assert.equal(typeof part, 'string');
      addressPartsOf({ street: text, city: text, stateCode: text, postalCode: text });
    }),
    { numRuns: 3000 },
  );
  const pieces = [
    '#',
    '1-',
    'ST ',
    '5 ',
    'N ',
    ', ',
    'a.',
    '-',
    'AVE ST ',
    'apt # ',
    '\u0301',
    '½',
    'ST PAUL ',
  ];
  // Takes a second at most if each length is read once, and over a minute if a pattern rereads it from every
  // position.
  const seconds = await cpuSecondsOf(() => {
    for (const piece of pieces) {
      addressReadings(piece.repeat(10_000));
      addressReadings(`123 ${piece.repeat(5000)}`);
    }
  });
  assert.ok(seconds < 5, `${seconds} s`);
});

test('a line of only street types has few interpretations and is parsed quickly', async () => {
  const text = `1 ${'St '.repeat(166)}`;
  const readings = addressReadings(text);
  assert.ok(readings.length <= 12, `${readings.length} readings`);
  // 166 readings took 40 ms of one processor each time.
  const seconds = await cpuSecondsOf(() => {
    for (let i = 0; i < 100; i++) addressReadings(text);
  });
  assert.ok(seconds < 1.5, `${seconds} s`);
});

test('an address in columns has the same key as the same address in one line', () => {
  const whole = parseAddress('322 N 105th St, Seattle, WA 98133');
  const columns = { street: '322 N 105TH ST', city: 'Seattle', stateCode: 'WA', postalCode: '98133-0001' };
  assert.deepEqual(addressPartsOf(columns), whole);
  const repeated = { ...columns, street: '322 N 105TH ST SEATTLE WA 98133' };
  assert.deepEqual(addressPartsOf(repeated), whole);
  const single = { street: '322 N 105TH ST, SEATTLE, WA 98133', city: '', stateCode: '', postalCode: '' };
  assert.deepEqual(addressPartsOf(single), whole);
  const broadway = {
    street: '120 BROADWAY E SEATTLE 98133',
    city: 'SEATTLE',
    stateCode: '',
    postalCode: '98133',
  };
  assert.equal(streetLineKeyOf(addressPartsOf(broadway)), '120|E|BROADWAY||');
});

test('a range gives an address for each end', () => {
  const ends = rangeEnds(parseAddress('4089-4091 N 9TH ST'));
  assert.deepEqual(
    ends.map((end) => streetLineKeyOf(end)),
    ['4089|N|9|ST|', '4091|N|9|ST|'],
  );
  assert.equal(directionsOf(ends[0]), 'N');
});
