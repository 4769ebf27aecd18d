import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LatestValue, PortfolioRules } from '../../domain/portfolio.ts';
import { addUpLoans, type HomeInRuns } from './add-up-loans.ts';
import { findAlerts } from './find-alerts.ts';

const RULES: PortfolioRules = {
  revalueEvery: 'never',
  changePct: 5,
  isOutsideRange: false,
  ltvPct: 80,
  soldWithinMi: null,
};

/** All homes are at one point, as the units of a building. */
function valueOf(valueUsd: number | null, compared: Partial<LatestValue> = {}): LatestValue {
  const place = { marketId: 'xx-test', address: '12 Main St, Milwaukee, WI', lat: 43, lon: -88 };
  const noRange = { lowUsd: null, highUsd: null, fsd: null, errorCode: null, error: null };
  return { valuationId: null, ...place, valueUsd, ...noRange, ...compared };
}

interface Entry {
  readonly at?: string;
  readonly owes: number | null;
  /** What it was compared with in the run before, if that is known. */
  readonly owed?: number | null;
  readonly limitThen?: number | null;
  readonly was?: number | null;
  readonly is: number | null;
}

/** The alerts of entries, by the number of the entry. */
async function alertsOf(entries: readonly Entry[]) {
  const homes = entries.map(({ at = '12 Main St', owes, owed, limitThen, was, is }, i): HomeInRuns => ({
    propertyId: `loan-${i + 1}`,
    requestedAddress: at,
    balanceUsd: owes,
    before: was === undefined ? null : valueOf(was, { balanceUsd: owed, ltvLimitPct: limitThen }),
    after: valueOf(is),
  }));
  const found = [];
  for (const [i, loans] of addUpLoans(homes).entries())
    found.push(...(await findAlerts(RULES, homes[i], { loans, newSales: [] }, async () => null)));
  return found;
}

async function loanAlertsOf(entries: readonly Entry[]) {
  const alerts = (await alertsOf(entries)).filter(({ kind }) => kind === 'ltv_above');
  return alerts.map(({ propertyId, ltvPct, previousLtvPct, entries: count }) => [
    propertyId,
    ltvPct,
    previousLtvPct,
    count,
  ]);
}

test('loans on one home that exceed the limit only together are one alert, of its first entry', async () => {
  const homes: readonly Entry[] = [
    { at: '12 Main St Apt 2', owes: 60_000, is: 100_000 },
    { owes: null, is: null },
    { owes: 60_000, is: 100_000 },
    { at: '12 MAIN STREET', owes: 25_000, is: 100_000 },
    { owes: null, is: 100_000 },
  ];
  assert.deepEqual(await loanAlertsOf(homes), [['loan-3', 85, null, 3]]);
  assert.deepEqual(await loanAlertsOf(homes.slice(0, 3)), [], 'each of two homes owes 60%');
  assert.deepEqual(await loanAlertsOf([{ owes: 85_000, is: 100_000 }]), [['loan-1', 85, null, undefined]]);
});

test('loans that exceeded the limit together before are no alert again', async () => {
  const second = { owes: 30_000, was: 100_000, is: 99_000 };
  assert.deepEqual(await loanAlertsOf([{ owes: 60_000, was: 100_000, is: 99_000 }, second]), []);
  assert.deepEqual(await loanAlertsOf([{ owes: 60_000, was: 120_000, is: 99_000 }, second]), [
    ['loan-1', 90.9, 75, 2],
  ]);
});

test('a loan that was added and a balance that has grown since the run before are alerts', async () => {
  const first = { owes: 60_000, owed: 60_000, was: 100_000, is: 100_000 };
  assert.deepEqual(await loanAlertsOf([first]), []);
  assert.deepEqual(await loanAlertsOf([first, { owes: 30_000, is: 100_000 }]), [['loan-1', 90, 60, 2]]);
  assert.deepEqual(await loanAlertsOf([{ ...first, owes: 90_000 }]), [['loan-1', 90, 60, undefined]]);
  assert.deepEqual(await loanAlertsOf([{ ...first, owed: null, owes: 90_000 }]), [
    ['loan-1', 90, null, undefined],
  ]);
});

test('loans between a lower limit and the one before are alerts, those above both are not', async () => {
  const between = { owes: 85_000, was: 100_000, is: 100_000 };
  const alert = ['loan-1', 85, 85, undefined];
  assert.deepEqual(await loanAlertsOf([{ ...between, limitThen: 90 }]), [alert]);
  assert.deepEqual(await loanAlertsOf([{ ...between, limitThen: null }]), [alert], 'there was none');
  for (const limitThen of [80, 85, undefined])
    assert.deepEqual(await loanAlertsOf([{ ...between, limitThen, owed: 86_000 }]), []);
  const risen = { ...between, owed: 75_000, limitThen: 70 };
  assert.deepEqual(
    await loanAlertsOf([risen]),
    [['loan-1', 85, 75, undefined]],
    'of a limit that was raised',
  );
});

test('each entry of a home reports what else happened, with the loans of the home', async () => {
  const changed = { owes: 20_000, was: 100_000, is: 110_000 };
  const alerts = await alertsOf([changed, changed]);
  assert.deepEqual(
    alerts.map(({ kind, propertyId, ltvPct, previousLtvPct }) => [kind, propertyId, ltvPct, previousLtvPct]),
    [
      ['value_changed', 'loan-1', 36.4, 40],
      ['value_changed', 'loan-2', 36.4, 40],
    ],
  );
});
