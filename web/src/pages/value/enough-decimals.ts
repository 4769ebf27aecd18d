/**
 * How many decimals the shown figures need so that a reader who computes with them gets the shown result, to the
 * dollar or to 1/100,000 of it (the server rounds assumptions to six digits). If no number of decimals is enough, `least`.
 */
export function enoughDecimals(
  resultUsd: number,
  /** The result when every figure is rounded by `round`. */
  outcome: (round: (value: number) => number) => number,
  least: number,
  most: number,
): number {
  const near = Math.max(1, 1e-5 * resultUsd);
  for (let digits = least; digits <= most; digits++) {
    const unit = 10 ** digits;
    if (Math.abs(outcome((value) => Math.round(value * unit) / unit) - resultUsd) <= near) return digits;
  }
  return least;
}

/** The same for shares that are shown in percent. */
export function enoughPercentDecimals(
  resultUsd: number,
  outcome: (round: (share: number) => number) => number,
  least = 1,
  most = 4,
): number {
  return enoughDecimals(resultUsd, (round) => outcome((share) => round(100 * share) / 100), least, most);
}
