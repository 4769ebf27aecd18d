import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay, parseDay } from '../domain/day.ts';
import { lastWholeYears } from './request-backtest.ts';

function offered(after: string, newest: string): string {
  const [first, last] = [parseDay(after), parseDay(newest)];
  assert.ok(first !== null && last !== null);
  const { from, to } = lastWholeYears(first, last);
  return `${formatDay(from)} to ${formatDay(to)}`;
}

test('a backtest is offered for the last five whole years, or for what is left of them after the first quarter of sales', () => {
  assert.equal(offered('2008-05-20', '2022-11-30'), '2017-01-01 to 2021-12-31');
  assert.equal(offered('2008-05-20', '2022-12-31'), '2018-01-01 to 2022-12-31');
  assert.equal(offered('2019-12-31', '2022-11-30'), '2020-01-01 to 2021-12-31');
  assert.equal(offered('2021-02-03', '2022-11-30'), '2021-03-01 to 2021-12-31');
  assert.equal(offered('2014-08-15', '2015-05-27'), '2014-09-01 to 2014-12-31');
});

test('without a whole year after the first quarter of sales, the days end with the newest sale', () => {
  assert.equal(offered('2022-03-05', '2022-11-30'), '2022-04-01 to 2022-11-30');
  assert.equal(offered('2022-11-05', '2022-11-30'), '2022-11-30 to 2022-11-30');
});
