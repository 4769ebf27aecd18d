import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { dayOf, formatDay } from '../../domain/day.ts';
import { numberOf } from './cell-values.ts';
import { createFormCounter, normalizeText, type ColumnForm, type ValueKind } from './column-forms.ts';
import { readDate } from './date-forms.ts';

const TODAY = dayOf(2026, 1, 31);

function formOf(texts: readonly string[], kind: ValueKind, otherColumn: readonly string[] = []): ColumnForm {
  const counter = createFormCounter(
    new Map<number, ValueKind>([
      [0, kind],
      [1, 'number'],
    ]),
    TODAY,
  );
  for (const [i, text] of texts.entries()) counter.add([text, otherColumn[i] ?? '']);
  return counter.decide().get(0) ?? assert.fail('no form');
}

test('every common form of a date reads as that date', () => {
  const forms: readonly [string, string | null][] = [
    ['2021-03-04', '2021-03-04'],
    ['2021-3-4', '2021-03-04'],
    ['2021/03/04', '2021-03-04'],
    ['2021-03-04T00:00:00.000Z', '2021-03-04'],
    ['2021-03-04 12:30:00', '2021-03-04'],
    ['20210304', '2021-03-04'],
    ['20210304T000000', '2021-03-04'],
    ['03042021', '2021-03-04'],
    ['20011231', '2001-12-31'],
    ['3/4/2021', '2021-03-04'],
    ['03/04/2021 12:00:00 AM', '2021-03-04'],
    ['3/4/21', '2021-03-04'],
    ['3/4/87', '1987-03-04'],
    ['3-4-2021', '2021-03-04'],
    ['3.4.2021', '2021-03-04'],
    ['Mar 4, 2021', '2021-03-04'],
    ['March 4th, 2021', '2021-03-04'],
    ['Thursday, March 4, 2021', '2021-03-04'],
    ['Sept. 4, 2021', '2021-09-04'],
    ['4 Mar 2021', '2021-03-04'],
    ['4-Mar-21', '2021-03-04'],
    ['04MAR2021', '2021-03-04'],
    ['04-MAR-2021 00:00:00', '2021-03-04'],
    ['44259', '2021-03-04'],
    ['44259.5', '2021-03-04'],
    ['1614816000000', '2021-03-04'],
    ['2021-03', '2021-03'],
    ['3/2021', '2021-03'],
    ['202103', '2021-03'],
    ['March 2021', '2021-03'],
    ['Mar-21', null],
    ['Marble 4, 2021', null],
    ['2021', null],
    ['soon', null],
    ['250000', null],
    ['', null],
  ];
  for (const [text, date] of forms) assert.equal(readDate(text), date, text);
  assert.equal(readDate('4/3/2021', 'day_first'), '2021-03-04');
  assert.equal(readDate('04.03.21', 'day_first'), '2021-03-04');
  assert.equal(readDate('04032021', 'day_first'), '2021-03-04');
  assert.equal(readDate('20012021', 'day_first'), '2021-01-20');
});

test('the order of day and month is that of the whole column, for any 40 dates', () => {
  const days = fc.array(fc.integer({ min: dayOf(2004, 1, 1), max: TODAY }), { minLength: 40, maxLength: 60 });
  fc.assert(
    fc.property(days, fc.constantFrom('month_first', 'day_first'), (dates, order) => {
      const isos = dates.map(formatDay);
      const texts = isos.map((iso) => {
        const [year, month, day] = iso.split('-').map(Number);
        return order === 'month_first' ? `${month}/${day}/${year}` : `${day}/${month}/${year}`;
      });
      const form = formOf(texts, 'date');
      if (form.doubt) return;
      assert.deepEqual(
        texts.map((text) => normalizeText(text, 'date', form)),
        isos,
      );
    }),
    { numRuns: 300 },
  );
});

test('a column of dates whose order does not show is in doubt; a month file and a future date show it', () => {
  assert.equal(formOf(['3/4/2021', '5/6/2021'], 'date').doubt?.check, 'ambiguous_dates');
  assert.equal(formOf(['3/4/2021', '25/6/2021', '6/25/2021'], 'date').doubt?.check, 'mixed_dates');
  assert.deepEqual(formOf(['3/1/2021', '4/1/2021'], 'date').doubt, null);
  assert.equal(formOf(['13012021', '01022021'], 'date').dateOrder, 'day_first');
  assert.deepEqual(formOf(['3/3/2021'], 'date').doubt, null);
  assert.equal(formOf(['1/12/2026'], 'date').dateOrder, 'month_first');
  assert.equal(formOf(['12/1/2026'], 'date').dateOrder, 'day_first');
});

test('decimal commas are decided over the whole column, and no form changes a number silently', () => {
  const cases: readonly [string[], ValueKind, (number | null)[] | string, string[]?][] = [
    [['1.250,50', '2,5'], 'number', [1250.5, 2.5]],
    [['1,250.50', '2.5'], 'number', [1250.5, 2.5]],
    [['1.250.000', '900'], 'number', [1_250_000, 900]],
    [['250,000', '1,250,000'], 'number', [250_000, 1_250_000]],
    [['$250,000', 'USD 310 000'], 'number', [250_000, 310_000]],
    [['1 250 000 $'.replace(' $', ''), "1'250'000"], 'number', [1_250_000, 1_250_000]],
    [['250.000', '310.000'], 'number', 'ambiguous_numbers'],
    [['250.000', '310.000'], 'number', [250_000, 310_000], ['2,5', '1,5']],
    [['250,000', '310,000'], 'number', 'ambiguous_numbers', ['2,5', '1,5']],
    [['2,5', '2.5'], 'number', 'mixed_numbers'],
    [['43,051', '43,05'], 'latitude', [43.051, 43.05]],
    [['43.051', '-87.912'], 'latitude', [43.051, -87.912]],
    [
      ['43° 3\' 6" N', '43 03 06', '43:03:06', 'N 43° 3.1′', '43d3m6.00s', '43.0517°'],
      'latitude',
      Array(6).fill(43.0516667).with(5, 43.0517),
    ],
    [["87° 54' 36'' W", '87.91 W', 'W87.91°', '-87:54:36', '−87.91'], 'longitude', Array(5).fill(-87.91)],
    [
      ['(43.05, -87.91)', 'POINT (-87.91 43.05)', '12 A ST\nCITY, WI\n(43.05, -87.91)'],
      'latitude',
      Array(3).fill(43.05),
    ],
    [
      ["{'type': 'Point', 'coordinates': [-87.91, 43.05]}", '43.05 -87.91'],
      'longitude',
      Array(2).fill(-87.91),
    ],
    [['1,850 sq ft', '1,200 SF'], 'number', [1850, 1200]],
  ];
  for (const [texts, kind, expected, otherColumn] of cases) {
    const form = formOf(texts, kind, otherColumn);
    if (typeof expected === 'string') assert.equal(form.doubt?.check, expected, texts.join(' '));
    else {
      assert.equal(form.doubt, null, texts.join(' '));
      assert.deepEqual(
        texts.map((text) => numberOf(normalizeText(text, kind, form), 'x')),
        expected,
      );
    }
  }
});
