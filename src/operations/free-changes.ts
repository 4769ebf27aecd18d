import type { Day } from '../domain/day.ts';
import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { Located } from '../locate/located.ts';
import { allowFreeChanges, hasFreeChange, takeFreeChange } from '../store/free-changes.ts';
import type { Caller, OperationDeps } from './deps.ts';

/**
 * People correct facts until a value is right, and should not have to think about credits meanwhile. Programs pay for
 * every value. docs/operations/accounts.md#credits
 */
export const FREE_MINUTES = 30;
/** A dozen corrections are usual. More could be the values of other homes at the same place. */
const FREE_CHANGES = 20;

interface ValuedProperty {
  readonly kind: ValuationKind;
  readonly asOf: Day;
  readonly located: Pick<Located, 'parcelId' | 'lat' | 'lon' | 'unit'>;
}

/** The property as it is charged: its parcel, or else its coordinates to a meter, and the unit. */
function propertyKey({ kind, asOf, located }: ValuedProperty): string {
  const { parcelId, lat, lon, unit } = located;
  const place = parcelId === null ? [lat.toFixed(5), lon.toFixed(5)] : parcelId;
  // As JSON, so that a parcel id that ends like a unit is not another property.
  return JSON.stringify([kind, asOf, place, unit]);
}

/** A user of the console; programs have no free changes. */
function isUser({ keyId }: Caller): boolean {
  return keyId !== null && keyId.startsWith('user:');
}

/** A user of the console who waits for this value; jobs have no free changes. */
function isInConsole(caller: Caller): boolean {
  return caller.takeCharge !== undefined && isUser(caller);
}

/** Whether a value would be a free change, before it is requested. Programs are not looked up. */
export async function wouldBeFree(
  { store, clock }: Pick<OperationDeps, 'store' | 'clock'>,
  caller: Caller,
  readValued: () => Promise<ValuedProperty>,
): Promise<boolean> {
  if (!isUser(caller)) return false;
  const key = { accountId: caller.accountId, property: propertyKey(await readValued()) };
  return hasFreeChange(store, key, clock().getTime());
}

/** Whether this value is a free change. It is then used up, even if the value fails later. */
export async function isFreeChange(
  { store, clock }: Pick<OperationDeps, 'store' | 'clock'>,
  caller: Caller,
  valued: ValuedProperty,
): Promise<boolean> {
  const key = { accountId: caller.accountId, property: propertyKey(valued) };
  return isInConsole(caller) && takeFreeChange(store, key, clock().getTime());
}

/** After a charged value: changes to the same property are free for a time. */
export async function freeNextChanges(
  { store, clock }: Pick<OperationDeps, 'store' | 'clock'>,
  caller: Caller,
  valued: ValuedProperty,
): Promise<void> {
  if (!isInConsole(caller)) return;
  const now = clock().getTime();
  const { accountId } = caller;
  const free = {
    accountId,
    property: propertyKey(valued),
    endsAt: now + FREE_MINUTES * 60_000,
    changesLeft: FREE_CHANGES,
  };
  await allowFreeChanges(store, free, now);
}
