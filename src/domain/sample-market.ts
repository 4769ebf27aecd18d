/** The id of the generated sample county's market. Every page with its figures must say that they are not real. */
export const SAMPLE_MARKET_ID = 'sample-county';
