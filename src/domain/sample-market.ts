/** The market of the generated county: whatever shows its figures says that none of them is real. */
export const SAMPLE_MARKET_ID = 'sample-county';
