/**
 * Reorders `order` so that the `k` smallest keys come first (k ≥ 4), swap for swap as numpy's
 * `argpartition`. Homes of one building are at one point, so which of several equal keys come first
 * matters: figures computed in Python agree only if ties are settled alike.
 */
export function partitionLikeNumpy(keys: Float64Array, order: Int32Array, count: number, k: number): void {
  const kth = k - 1;
  let low = 0;
  let high = count - 1;
  let depthLeft = 2 * (31 - Math.clz32(count));
  while (low + 1 < high) {
    let left = low + 1;
    let right = high;
    if (depthLeft > 0 || right - left < 5) medianOfThreeToLow(keys, order, low, high);
    else {
      swap(order, left + medianOfMedians(keys, order, left, right - left), low);
      left--;
      right++;
    }
    depthLeft--;
    const pivot = keys[order[low]];
    for (;;) {
      do left++;
      while (keys[order[left]] < pivot);
      do right--;
      while (pivot < keys[order[right]]);
      if (right < left) break;
      swap(order, left, right);
    }
    swap(order, low, right);
    if (right >= kth) high = right - 1;
    if (right <= kth) low = left;
  }
  if (high === low + 1 && keys[order[high]] < keys[order[low]]) swap(order, high, low);
}

function medianOfThreeToLow(keys: Float64Array, order: Int32Array, low: number, high: number): void {
  const middle = low + ((high - low) >> 1);
  if (keys[order[high]] < keys[order[middle]]) swap(order, high, middle);
  if (keys[order[high]] < keys[order[low]]) swap(order, high, low);
  if (keys[order[low]] < keys[order[middle]]) swap(order, low, middle);
  swap(order, middle, low + 1);
}

function swap(order: Int32Array, a: number, b: number): void {
  const held = order[a];
  order[a] = order[b];
  order[b] = held;
}

/** Fallback pivot: position (from `start`) of about the median of medians of fives. */
function medianOfMedians(keys: Float64Array, order: Int32Array, start: number, count: number): number {
  const fives = Math.floor(count / 5);
  for (let i = 0; i < fives; i++) {
    const at = start + 5 * i;
    const five = order.subarray(at, at + 5);
    const middle = five.toSorted((a, b) => keys[a] - keys[b])[2];
    swap(order, order.indexOf(middle, at), start + i);
  }
  if (fives > 2) partitionLikeNumpy(keys, order.subarray(start, start + fives), fives, (fives >> 1) + 1);
  return fives >> 1;
}
