import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf } from '../../domain/day.ts';
import { monthOf } from '../../valuation/price-index/market-path.ts';
import { forecastWarnings, jumpInYearWarnings, jumpWarnings, lastForecastMonth } from './market-index.ts';

test('days on which the prices of a whole market jump are warnings, from the first month of the index on', () => {
  const day = dayOf(2022, 1, 3);
  const jumps = [
    { day: dayOf(2019, 5, 1), size: 0.2 },
    { day, size: Math.log(0.92) },
  ];
  const warnings = jumpWarnings({ jumps, firstMonth: monthOf(dayOf(2020, 1, 1)) });
  assert.deepEqual(
    warnings.map(({ code, message }) => [code, message.split(',').slice(0, 2).join(',')]),
    [['price_level_jump', 'From 2022-01-03 on, prices of the whole market are 8.0% lower']],
  );
});

test('a 12-month change across a jump has a warning with the change without it', () => {
  const jumps = [{ day: dayOf(2021, 12, 31), size: Math.log(0.9) }];
  const warningsTo = (lastMonth: string) =>
    jumpInYearWarnings({ jumps }, { lastMonth, yearOverYearPct: 1.7 });
  assert.deepEqual(
    warningsTo('2022-12').map(({ message }) => message),
    ['Without the jump of 2021-12-31, the 12-month change to 2022-12 is +13.0%.'],
  );
  assert.equal(warningsTo('2022-01').length, 1);
  assert.deepEqual([...warningsTo('2021-12'), ...warningsTo('2023-01')], []);
});

test('months after the end of the forecast, two years after the newest figure, have a warning that names it', () => {
  const end = lastForecastMonth({ lastFigure: monthOf(dayOf(2022, 12, 30)) });
  assert.equal(end, '2024-12');
  assert.deepEqual(forecastWarnings(end, '2024-12'), []);
  const [{ code, message }] = forecastWarnings(end, '2025-01');
  assert.equal(code, 'forecast_ended');
  assert.match(message, /^The forecast ends in 2024-12, 24 months after the newest month with data\./);
});
