/** The market of the generated county. Everything that shows its figures must say that they are not real. */
export const SAMPLE_MARKET_ID = 'sample-county';
