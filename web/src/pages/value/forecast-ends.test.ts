import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forecastEnds } from './forecast-ends.ts';

/** 24 months after Nov 28, 2026. */
const range = { lower: 300_000, upper: 500_000 };
const forecast = Array.from({ length: 24 }, (_, i) => {
  const month = 11 + i;
  return {
    date: `${2026 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-28`,
    value: 400_000,
    interval_80: range,
    interval_90: range,
    basis: 'forecast' as const,
    model_id: null,
  };
});
const endsOf = (last: string) =>
  forecastEnds({ forecast, last_forecast_month: last }).map(({ label, point }) => [label, point?.date]);

test('the value page names no month after the end of the forecast', () => {
  assert.deepEqual(endsOf('2028-11'), [
    ['Next year', '2027-11-28'],
    ['In two years', '2028-11-28'],
  ]);
  assert.deepEqual(endsOf('2028-09'), [
    ['Next year', '2027-11-28'],
    ['To Sep 2028, the end of the forecast', '2028-09-28'],
  ]);
  assert.deepEqual(endsOf('2027-11'), [['Next year', '2027-11-28']]);
  assert.deepEqual(endsOf('2027-03'), [['To Mar 2027, the end of the forecast', '2027-03-28']]);
  assert.deepEqual(endsOf('2024-12'), [['Forecast, ended Dec 2024', undefined]]);
});
