import { dayOf, type Day } from '../day.ts';

/** 5-year estimates of the American Community Survey are named by the last of their years; the first are 2005–2009. */
export const FIRST_ACS_YEAR = 2009;
/** A later year is a slip of the pen. */
export const LAST_ACS_YEAR = 2099;

/** Releases that came later than December: the pandemic's year, and the one that waited for a closed government. */
const RELEASED_LATE: Readonly<Record<number, Day>> = {
  2020: dayOf(2022, 3, 17),
  2024: dayOf(2026, 1, 29),
};

/**
 * The day by which the 5-year estimates of a year were out. They come in December of the year after, the latest of the
 * last ten years on the 19th (those of 2018); the 20th is therefore never too early.
 */
export function acsPublishedOn(year: number): Day {
  return RELEASED_LATE[year] ?? dayOf(year + 1, 12, 20);
}
