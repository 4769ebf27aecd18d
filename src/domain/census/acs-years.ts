import { dayOf, type Day } from '../day.ts';

/** 5-year estimates are named after their last year; the first are 2005–2009. */
export const FIRST_ACS_YEAR = 2009;
/** A later year is a typing error. */
export const LAST_ACS_YEAR = 2099;

/** Releases later than December: after the pandemic, and after a government shutdown. */
const RELEASED_LATE: Readonly<Record<number, Day>> = {
  2020: dayOf(2022, 3, 17),
  2024: dayOf(2026, 1, 29),
};

/** December 20 of the next year: in the last ten years the latest release was on the 19th (for 2018). */
export function acsPublishedOn(year: number): Day {
  return RELEASED_LATE[year] ?? dayOf(year + 1, 12, 20);
}
