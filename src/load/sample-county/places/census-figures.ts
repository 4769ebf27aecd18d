/** A figure as the Bureau prints it, with its margin of error at 90 % confidence. */
export interface PrintedEstimate {
  readonly estimate: string;
  readonly margin: string;
}

/** The survey asks about one home in eight within five years. */
const SAMPLED = 1 / 8;
/** Standard errors in a margin at 90 %, as in all of the Bureau's tables. */
const Z_90 = 1.645;
/** What the Bureau prints beside a count of nobody in a small area. */
const MARGIN_OF_ZERO = 12;
/** Medians of fewer homes are not shown: three were asked. */
const LEAST_FOR_MEDIAN = 24;
const TOO_FEW: PrintedEstimate = { estimate: '-', margin: '**' };

/**
 * A count, exact, with the margin that a simple random sample would leave: √((1−f)/f · x · (1 − x/N)), where N is the
 * same in all of the county. The county's own total is held to what is known ("*****").
 */
export function countOf(count: number, inCounty: number): PrintedEstimate {
  if (count === 0) return { estimate: '0', margin: String(MARGIN_OF_ZERO) };
  if (count === inCounty) return { estimate: String(count), margin: '*****' };
  const error = Math.sqrt(((1 - SAMPLED) / SAMPLED) * count * (1 - count / inCounty));
  return { estimate: String(count), margin: String(Math.ceil(Z_90 * error)) };
}

/** How medians of a table are printed: rounded to a step, and as "250,000+" from the highest class on. */
export interface MedianStyle {
  readonly step: number;
  readonly top: number;
}

/** A median; its standard error is 1.2533 times that of a mean, the spread taken from the quartiles. */
export function medianOf(values: readonly number[], { step, top }: MedianStyle): PrintedEstimate {
  if (values.length < LEAST_FOR_MEDIAN) return TOO_FEW;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))];
  const median = Math.round(at(0.5) / step) * step;
  if (median >= top) return { estimate: `${top.toLocaleString('en-US')}+`, margin: '***' };
  const sd = (at(0.75) - at(0.25)) / 1.349;
  const error = (1.2533 * sd) / Math.sqrt(values.length * SAMPLED);
  return { estimate: rounded(median, step), margin: rounded(Math.max(step, Z_90 * error), step) };
}

/** An average or a total of values, with the margin of a simple random sample. */
export function meanOf(values: readonly number[], digits: number): PrintedEstimate {
  if (values.length < LEAST_FOR_MEDIAN) return TOO_FEW;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const error = Math.sqrt(variance / (values.length * SAMPLED));
  return { estimate: mean.toFixed(digits), margin: (Z_90 * error).toFixed(digits) };
}

function rounded(value: number, step: number): string {
  return (Math.round(value / step) * step).toFixed(step < 1 ? 1 : 0);
}
