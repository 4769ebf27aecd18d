import { randomBytes } from 'node:crypto';
import { createKey } from '../../src/accounts/manage-keys.ts';
import { createUser } from '../../src/accounts/manage-users.ts';
import { createPasswords } from '../../src/accounts/passwords.ts';
import { systemClock } from '../../src/clock.ts';
import { dayOfInstant } from '../../src/domain/day.ts';
import { billingPeriodAt, billingPeriodBefore } from '../../src/domain/billing-period.ts';
import { COMMAND_LINE } from '../../src/store/audit-log.ts';
import { openStore, type StoreSettings } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { testPeople } from '../harness/accounts/people.ts';

/** A user who can sign in on every server under test. */
export const ADMINISTRATOR = { name: 'ada@assessor.example', password: 'four plumb bobs hang' } as const;
/** Turns on a second factor in a test. */
export const WITH_APP = { name: 'dora@assessor.example', password: 'level, plumb and square' } as const;
/** Signs in by the identity provider in a test. */
export const WITH_PROVIDER = { name: 'eli@assessor.example', password: 'a bob on a string' } as const;
export const MEMBER = { name: 'ben@assessor.example', password: 'a line that is plumb' } as const;

/**
 * Adds an administrator, a member, two keys and a year of usage to the account `self`, and a second account.
 */
export async function addUsers(settings: Pick<StoreSettings, 'databaseUrl' | 'dataDir'>): Promise<void> {
  const store = await openStore(settings);
  try {
    const deps = testPeople(store, systemClock, createPasswords(randomBytes));
    await createUser(deps, COMMAND_LINE, { accountId: 'self', role: 'administrator', ...ADMINISTRATOR });
    await createUser(deps, COMMAND_LINE, { accountId: 'self', role: 'member', ...MEMBER });
    await createUser(deps, COMMAND_LINE, { accountId: 'self', role: 'member', ...WITH_APP });
    await createUser(deps, COMMAND_LINE, { accountId: 'self', role: 'member', ...WITH_PROVIDER });
    await createKey(deps, COMMAND_LINE, { name: 'nightly valuations' });
    await createKey(deps, COMMAND_LINE, {
      name: 'trying out',
      environment: 'test',
      scopes: ['avm:property', 'places:flood', 'places:fire'],
      expiresAt: new Date(Date.now() + 5 * 86_400_000),
    });
    await addUsage(store);
    const acme = {
      accountId: 'acme-lending',
      name: 'Acme Lending',
      plan: 'standard',
      createdAt: Date.now(),
    };
    await store.db.insertInto('accounts').values(acme).execute();
  } finally {
    await store.close();
  }
}

/** Credits per response, by operation. */
const COSTS = { 'avm:property': 33, 'avm:rental': 34, 'places:crime': 10, comprehensive: 60 } as const;

/** Usage that grows each month. Some operations have none in the first months. */
async function addUsage(store: Store): Promise<void> {
  const now = billingPeriodAt(Date.now());
  const rows = Object.entries(COSTS).flatMap(([operation, cost], nth) =>
    Array.from({ length: 12 - nth * 2 }, (_, back) => {
      const requests = 40 + (12 - back) * 11 * (nth + 1) - back * nth;
      const period = billingPeriodBefore(now, back);
      return { accountId: 'self', period, operation, requests, credits: requests * cost };
    }),
  );
  await store.db
    .insertInto('credit_usage')
    .values(rows)
    .onConflict((on) => on.doNothing())
    .execute();
  const today = dayOfInstant(new Date());
  await store.db
    .insertInto('credit_usage_days')
    .values(
      rows.filter(({ period }) => period === now).map((row) => ({ ...row, day: today, keyId: 'user:0' })),
    )
    .onConflict((on) => on.doNothing())
    .execute();
}
