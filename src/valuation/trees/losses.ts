/**
 * Loss of a forest. 'pseudo_huber' is quadratic for residuals well under `delta` and linear beyond,
 * so that a few odd sales cannot dominate a leaf.
 */
export type Loss = { readonly kind: 'squared' } | { readonly kind: 'pseudo_huber'; readonly delta: number };

/** Negative gradient and hessian of the loss at the current prediction, times the sample weight. */
export function updateGradients(
  loss: Loss,
  rows: Int32Array,
  target: Float64Array,
  weights: Float64Array,
  prediction: Float64Array,
  gradient: Float64Array,
  hessian: Float64Array,
): void {
  if (loss.kind === 'squared') {
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i];
      gradient[row] = weights[row] * (target[row] - prediction[row]);
      hessian[row] = weights[row];
    }
    return;
  }
  const inverse = 1 / loss.delta;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const residual = target[row] - prediction[row];
    const scaled = residual * inverse;
    const square = 1 + scaled * scaled;
    const root = Math.sqrt(square);
    gradient[row] = (weights[row] * residual) / root;
    hessian[row] = weights[row] / (square * root);
  }
}
