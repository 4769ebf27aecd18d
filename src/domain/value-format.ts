/** Formats of a file with the values of a sweep. */
export const VALUE_FORMATS = ['parquet', 'csv'] as const;
export type ValueFormat = (typeof VALUE_FORMATS)[number];
