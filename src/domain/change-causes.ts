/** What changes a value in a challenge, in the order in which it is applied. */
export const CHANGE_CAUSES = ['facts', 'comparables', 'adjustments', 'weights', 'renovations'] as const;
