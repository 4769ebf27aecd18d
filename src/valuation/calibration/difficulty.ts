/**
 * Direction of each measure of difficulty, in the order in which predictions and estimates list them: 1 where a
 * larger number means a harder home, -1 where a smaller one does.
 */
const DIRECTIONS: readonly (1 | -1 | 0)[] = [
  // The model's: spread of the members, step from base to final value, spread of the residuals nearby and among
  // similar homes, distances to both, ln value (neither), number of unknown attributes, expected size of the error.
  ...([1, 1, 1, 1, 1, 1, 0, 1, 1] as const),
  // The comparables': spread, gap to the model, number, similarity of the best and of the last, and for rents the
  // share of the own building.
  ...([1, 1, -1, -1, -1, -1] as const),
];

/** 1 if homes with a larger number are harder to value, -1 if they are easier, 0 if neither is known. */
export function harderIf(measure: number): 1 | -1 | 0 {
  return DIRECTIONS[measure] ?? 0;
}
