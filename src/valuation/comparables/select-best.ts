/**
 * Positions of the `k` highest scores that `accepts` takes, best first; `isBefore` settles ties.
 * `accepts` sees each position once, best first. Repeated search for the maximum: sorting all of
 * 160 to get 20 takes five times as long.
 */
export function selectBest(
  scores: Float64Array,
  k: number,
  isBefore: (a: number, b: number) => boolean,
  accepts: (position: number) => boolean,
): number[] {
  const left = scores.slice();
  const taken: number[] = [];
  for (let looked = 0; looked < left.length && taken.length < k; looked++) {
    let best = 0;
    let most = left[0];
    for (let i = 1; i < left.length; i++) {
      const score = left[i];
      if (score < most || (score === most && !isBefore(i, best))) continue;
      best = i;
      most = score;
    }
    left[best] = -Infinity;
    if (accepts(best)) taken.push(best);
  }
  return taken;
}
