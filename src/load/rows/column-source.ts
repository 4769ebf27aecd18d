/** Where a column comes from. Exactly one of `source`, `join`, `sum` and `const` is given. */
export interface ColumnSource {
  readonly source?: string;
  /** Columns joined by a space. */
  readonly join?: readonly string[];
  /** Columns summed as numbers. Unknown ones are left out; all unknown is unknown. */
  readonly sum?: readonly (string | { readonly source: string; readonly times: number })[];
  readonly const?: string;
  /** Date format. */
  readonly format?: string;
  /** Values to replace; others are kept. null = unknown. */
  readonly map?: Readonly<Record<string, string | null>>;
  /** A factor for numbers (acres → sqft: 43560). */
  readonly times?: number;
  /** Digits of an id, to which leading zeros are added. */
  readonly pad?: number;
}

export type Mapping = Readonly<Record<string, ColumnSource>>;

/** The columns of the file that a source reads. */
export function sourcesOf({ source, join = [], sum = [] }: ColumnSource): string[] {
  const summed = sum.map((part) => (typeof part === 'string' ? part : part.source));
  return [...(source === undefined ? [] : [source]), ...join, ...summed];
}
