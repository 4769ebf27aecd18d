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
function solveLower(factor: Float64Array, right: Float64Array, start: number, solution: Float64Array): void {
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

/** Row-major matrix: row i is cells[i·width] … cells[(i+1)·width − 1]. */
export interface Matrix {
  readonly cells: Float64Array;
  readonly width: number;
}

/** Penalties tried on standardized columns; the one with the least leave-one-out error is used. */
const PENALTIES = [0.01, 0.1, 1, 10, 100, 1000];

/** Ridge regression on standardized columns by the normal equations; returns a predictor. */
export function fitRidge(design: Matrix, target: Float64Array): (rows: Matrix) => Float64Array {
  const { width } = design;
  const n = target.length;
  const scaler = scalerOf(design, n);
  const scaled = scaler(design);
  const mean = target.reduce((sum, y) => sum + y, 0) / n;
  const gram = new Float64Array(width * width);
  const moment = new Float64Array(width);
  const half = new Float64Array(width);
  for (let i = 0; i < n; i++) {
    const at = i * width;
    for (let a = 0; a < width; a++) {
      const x = scaled[at + a];
      moment[a] += x * (target[i] - mean);
      for (let b = 0; b <= a; b++) gram[a * width + b] += x * scaled[at + b];
    }
  }
  let best: { error: number; weights: Float64Array } | null = null;
  for (const penalty of PENALTIES) {
    const penalized = gram.map((sum, at) => (at % (width + 1) === 0 ? sum + penalty : sum));
    const factor = cholesky(penalized, width, penalty / 2);
    const weights = solveCholesky(factor, moment);
    // Mean squared leave-one-out error in closed form: residual / (1 − leverage).
    let sum = 0;
    for (let i = 0; i < n; i++) {
      solveLower(factor, scaled, i * width, half);
      const leverage = 1 / n + dot(half, 0, half);
      const residual = target[i] - mean - dot(scaled, i * width, weights);
      sum += (residual / (1 - leverage)) ** 2;
    }
    const error = sum / n;
    if (best === null || error < best.error) best = { error, weights };
  }
  const weights = best?.weights ?? new Float64Array(width);
  return (rows) => {
    const cells = scaler(rows);
    const length = cells.length / width;
    return Float64Array.from({ length }, (_, i) => mean + dot(cells, i * width, weights));
  };
}

/** Standardizes columns by the training rows; constant columns are only centered. */
function scalerOf(design: Matrix, n: number): (rows: Matrix) => Float64Array {
  const { cells, width } = design;
  const means = new Float64Array(width);
  const scales = new Float64Array(width);
  for (let i = 0; i < n; i++) for (let a = 0; a < width; a++) means[a] += cells[i * width + a] / n;
  for (let i = 0; i < n; i++) {
    for (let a = 0; a < width; a++) scales[a] += (cells[i * width + a] - means[a]) ** 2 / n;
  }
  for (let a = 0; a < width; a++) scales[a] = Math.sqrt(scales[a]) || 1;
  return (rows) => rows.cells.map((cell, at) => (cell - means[at % width]) / scales[at % width]);
}

function dot(cells: Float64Array, start: number, weights: Float64Array): number {
  let sum = 0;
  for (let a = 0; a < weights.length; a++) sum += cells[start + a] * weights[a];
  return sum;
}
