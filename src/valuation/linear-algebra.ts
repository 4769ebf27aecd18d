/** Lower triangle L with L·Lᵀ = matrix: symmetric, row-major, given by its lower half. */
export function cholesky(matrix: Float64Array, size: number, leastPivot: number): Float64Array {
  const factor = new Float64Array(size * size);
  for (let a = 0; a < size; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = matrix[a * size + b];
      for (let k = 0; k < b; k++) sum -= factor[a * size + k] * factor[b * size + k];
      // Rounding may leave a collinear column a pivot just below zero.
      factor[a * size + b] = a === b ? Math.sqrt(Math.max(sum, leastPivot)) : sum / factor[b * size + b];
    }
  }
  return factor;
}

/** Solves L·z = the numbers of `right` from `start`, into `solution`. */
export function solveLower(
  factor: Float64Array,
  right: Float64Array,
  start: number,
  solution: Float64Array,
): void {
  const size = solution.length;
  for (let a = 0; a < size; a++) {
    let sum = right[start + a];
    for (let b = 0; b < a; b++) sum -= factor[a * size + b] * solution[b];
    solution[a] = sum / factor[a * size + a];
  }
}

/** Solves L·Lᵀ·w = right. */
export function solveCholesky(factor: Float64Array, right: Float64Array): Float64Array<ArrayBuffer> {
  const size = right.length;
  const solution = new Float64Array(size);
  solveLower(factor, right, 0, solution);
  for (let a = size - 1; a >= 0; a--) {
    let sum = solution[a];
    for (let b = a + 1; b < size; b++) sum -= factor[b * size + a] * solution[b];
    solution[a] = sum / factor[a * size + a];
  }
  return solution;
}

/** Gaussian elimination with pivoting; null for a singular matrix. */
export function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | null {
  const n = right.length;
  const rows = matrix.map((row, i) => [...row, right[i]]);
  for (let column = 0; column < n; column++) {
    const pivot = rows.reduce(
      (best, row, i) => (i >= column && Math.abs(row[column]) > Math.abs(rows[best][column]) ? i : best),
      column,
    );
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    if (Math.abs(rows[column][column]) < 1e-12) return null;
    for (let i = 0; i < n; i++) {
      if (i === column) continue;
      const factor = rows[i][column] / rows[column][column];
      for (let k = column; k <= n; k++) rows[i][k] -= factor * rows[column][k];
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}
