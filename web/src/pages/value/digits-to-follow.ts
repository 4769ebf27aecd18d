/**
 * How many digits behind the point figures need, so that who works out what is shown comes to what is told, to the dollar or to a
 * hundred-thousandth of it (the server tells assumptions to six digits, which is as near). Where none will do, `least`.
 */
export function digitsToFollow(
  toldUsd: number,
  /** What comes out when every figure is rounded by `round`. */
  outcome: (round: (value: number) => number) => number,
  least: number,
  most: number,
): number {
  const near = Math.max(1, 1e-5 * toldUsd);
  for (let digits = least; digits <= most; digits++) {
    const unit = 10 ** digits;
    if (Math.abs(outcome((value) => Math.round(value * unit) / unit) - toldUsd) <= near) return digits;
  }
  return least;
}

/** The same of shares that are shown in percent. */
export function percentDigitsToFollow(
  toldUsd: number,
  outcome: (round: (share: number) => number) => number,
  least = 1,
  most = 4,
): number {
  return digitsToFollow(toldUsd, (round) => outcome((share) => round(100 * share) / 100), least, most);
}
