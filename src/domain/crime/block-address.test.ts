import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { blockAddressOf } from './block-address.ts';

const STREETS = [
  'N 12TH ST',
  'W STATE ST',
  'S 7 ST',
  'BROADWAY',
  'W FOND DU LAC AV',
  'MARTIN LUTHER KING JR BLVD S',
  'AVENUE 27',
  'US HWY 41',
  'A ST SE',
  '35TH AVE NE',
  'SILVER SPRING DR',
];

/** Forms of house numbers in agencies' files; `n` is the number, `s` the street. */
const WRITINGS: readonly ((n: number, s: string) => string)[] = [
  (n, s) => `${n} ${s}`,
  (n, s) => `  ${n}  ${s.toLowerCase()} `,
  (n, s) => `000${n} ${s}`,
  (n, s) => `#${n} ${s}`,
  (n, s) => `# ${n} ${s}`,
  (n, s) => `${n}, ${s}`,
  (n, s) => `${n}. ${s}.`,
  (n, s) => `${n} ${s} #${n}`,
  (n, s) => `${n} ${s} APT ${n}`,
  (n, s) => `${n} ${s}, Milwaukee, WI 53${n}`,
  (n, s) => `${n} ${s} (43.0${n}, -87.9${n})`,
  (n, s) => `APT ${n} ${n} ${s}`,
  (n, s) => `UNIT ${n}, ${n} ${s}`,
  (n, s) => `${n}-B ${s}`,
  (n, s) => `${n}B ${s} #LWR`,
  (n, s) => `${n} B ${s}`,
  (n, s) => `${n} 1/2 ${s}`,
  (n, s) => `${n}½ ${s}`,
  (n, s) => `${n}-${n + 2} ${s}`,
  (n, s) => `${n}-${String(n + 2).slice(-2)} ${s}`,
  (n, s) => `${n}-${String(n - 1).slice(-2)} ${s}`,
  (n, s) => `${n} - ${n + 4} ${s}`,
  (n, s) => `${n}–${n + 4} ${s}`,
  (n, s) => `${n}/${n + 2} ${s}`,
  (n, s) => `${n} & ${n + 2} ${s}`,
  (n, s) => `${n} TO ${n + 2} ${s}`,
  (n, s) => `${n} ${n + 2} ${s}`,
  (n, s) => `N56W${n} ${s}`,
  (n, s) => `W156 N${n} ${s}`,
  (n, s) => `W${n} ${s}`,
  (n, s) => `${n} BLOCK OF ${s}`,
  (n, s) => `${s} ${n}`,
  (n, s) => `${s}, ${n}`,
  (n, s) => `NO ${n} ${s}`,
  (n, s) => `CORNER OF ${n} ${s} AND W WELLS ST`,
  (n, s) => `${n} ${s} / W WELLS ST`,
  (n, s) => `W WELLS ST/${n} ${s}`,
  (n, s) => `${n} ${s} @ W WELLS ST`,
  (n, s) => [...String(n)].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('') + ` ${s}`,
];

const numbersOf = (text: string): number[] => [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));

test('no spelling of an address reveals its house number, unit or coordinates', () => {
  const grids = [56, 156];
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 29_999 }).filter((n) => n % 100 > 2),
      fc.constantFrom(...STREETS),
      fc.constantFrom(...WRITINGS),
      (n, street, write) => {
        const written = write(n, street);
        const { text, namedHouse } = blockAddressOf(written);
        const allowed = [...numbersOf(street), ...grids];
        const strange = numbersOf(text ?? '').filter((each) => each % 100 !== 0 && !allowed.includes(each));
        assert.deepEqual(strange, [], `${written} → ${text}`);
        if (!allowed.includes(n)) assert.ok(namedHouse, written);
      },
    ),
    { numRuns: 3000 },
  );
});

test('reducing a reduced address again changes nothing, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789 NSWEAB#-/,.XTH&ST') }), (written) => {
      const { text } = blockAddressOf(written);
      if (text !== null) assert.ok(text.length <= written.length + 40);
      const again = text === null ? null : blockAddressOf(text).text;
      const numbers = numbersOf(text ?? '');
      for (const number of numbersOf(again ?? '')) assert.ok(number % 100 === 0 || numbers.includes(number));
    }),
    { numRuns: 2000 },
  );
});

test('blocks, crossings and streets are written as agencies write them', () => {
  const texts: readonly (readonly [string, string | null, boolean])[] = [
    ['2145 N 12TH ST', '2100 BLOCK N 12TH ST', true],
    ['45 MAIN ST', '0 BLOCK MAIN ST', true],
    ['12XX BLOCK OF E HOWELL ST', '1200 BLOCK E HOWELL ST', false],
    ['050XX W SUPERIOR ST', '5000 BLOCK W SUPERIOR ST', false],
    ['1500 block Main St', '1500 BLOCK MAIN ST', false],
    ['N56W14750 SILVER SPRING DR', 'N56W14700 BLOCK SILVER SPRING DR', true],
    ['W156 N8480 PILGRIM RD', 'W156N8400 BLOCK PILGRIM RD', true],
    ['26TH AVE NE / NE BLAKELEY ST', '26TH AVE NE / NE BLAKELEY ST', false],
    ['8 AV / CONVENTION PL', '8 AV / CONVENTION PL', false],
    ['E 38 ST and KENSINGTON AV', 'E 38 ST / KENSINGTON AV', false],
    ['I90 EB / RAINIER AVE S', 'I90 EB / RAINIER AVE S', false],
    ['3RD AVE/PIKE ST', '3RD AVE / PIKE ST', false],
    ['59TH ST', '59TH ST', false],
    ['14500  S US 71 HWY WEST FRONTAGE RD', '14500 BLOCK S US 71 HWY WEST FRONTAGE RD', true],
    ['123 A MAIN ST', '100 BLOCK MAIN ST', true],
    ['4010 A ST SE', '4000 BLOCK A ST SE', true],
    ['45-12 30TH AVE', '30TH AVE', true],
    ['237-35 MAIN ST', 'MAIN ST', true],
    [
      '2600 LISHELLE PL VIRGINIA BEACH, VA 23452 (36.8, -76.0)',
      '2600 BLOCK LISHELLE PL VIRGINIA BEACH',
      true,
    ],
    ['', null, false],
    ['NA', null, false],
    ['1234', null, true],
  ];
  for (const [written, text, namedHouse] of texts) {
    assert.deepEqual(blockAddressOf(written), { text, namedHouse }, written);
  }
});
