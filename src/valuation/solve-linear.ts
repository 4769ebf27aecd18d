/** Gauss elimination with pivots; null of a singular matrix. */
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
