/** A calendar month in UTC, over which credits are counted: `2026-11`. */
export type BillingPeriod = string;

const PERIOD = /^\d{4}-(0[1-9]|1[0-2])$/;

export function isBillingPeriod(text: string): boolean {
  return PERIOD.test(text);
}

export function billingPeriodAt(instantMs: number): BillingPeriod {
  return new Date(instantMs).toISOString().slice(0, 7);
}

/** The first millisecond after the period. */
export function endOfBillingPeriod(period: BillingPeriod): number {
  const [year, month] = period.split('-').map(Number);
  return Date.UTC(year, month, 1);
}

/** The period `months` months earlier. */
export function billingPeriodBefore(period: BillingPeriod, months: number): BillingPeriod {
  const [year, month] = period.split('-').map(Number);
  return billingPeriodAt(Date.UTC(year, month - 1 - months, 1));
}
