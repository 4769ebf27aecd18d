/** What changes a value in a challenge, in the order in which it is applied. */
export const CHANGE_CAUSES = ['facts', 'comparables', 'adjustments', 'weights', 'renovations'] as const;
type ChangeCause = (typeof CHANGE_CAUSES)[number];

/** How the console and reports call them. */
export const CHANGE_CAUSE_LABELS: Readonly<Record<ChangeCause, string>> = {
  facts: 'Corrected details',
  comparables: 'Comparables',
  adjustments: 'Adjustments',
  weights: 'Weights of the estimates',
  renovations: 'Renovations',
};
