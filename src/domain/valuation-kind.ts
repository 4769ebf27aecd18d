/** What is valued: a home, the units of a building to let, a building of several units. */
export const VALUATION_KINDS = ['property', 'rental', 'multifamily'] as const;

export type ValuationKind = (typeof VALUATION_KINDS)[number];

export function isValuationKind(text: string): text is ValuationKind {
  return (VALUATION_KINDS as readonly string[]).includes(text);
}
