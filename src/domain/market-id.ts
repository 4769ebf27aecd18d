/** The id of the generated sample county's market. Every page with its figures must say that they are not real. */
export const SAMPLE_MARKET_ID = 'sample-county';

export const MARKET_ID_RULE = 'Use 1 to 63 lowercase letters, digits and hyphens, such as wi-milwaukee.';

/** Whether the text can be a market id. Market ids are used in file names, URLs and model ids. */
export function isMarketId(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(text);
}
