/** 5-year estimates of the American Community Survey are named by the last of their years; the first are 2005–2009. */
export const FIRST_ACS_YEAR = 2009;
/** A later year is a slip of the pen. */
export const LAST_ACS_YEAR = 2099;
