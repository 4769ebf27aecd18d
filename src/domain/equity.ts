/** Measures of uniformity and vertical equity, as assessors write them. */
export const EQUITY_MEASURES = ['median_ratio', 'cod', 'prd', 'prb', 'vei'] as const;
export type EquityMeasure = (typeof EQUITY_MEASURES)[number];

/** Compared with the range of the standard: the whole 95% interval is in it, below it or above it, or none of these. */
export const EQUITY_VERDICTS = ['in_range', 'below', 'above', 'uncertain'] as const;
export type EquityVerdict = (typeof EQUITY_VERDICTS)[number];
