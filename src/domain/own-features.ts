/** A feature that one market has besides the standard details, kept from a source column by `--feature`. */
export type OwnFeature = {
  readonly name: string;
  readonly kind: 'number' | 'category';
  /** Share of the rows that have a value. */
  readonly knownShare: number;
  /** Of a number. */
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** The values of a category, unless there are too many to choose from. */
  readonly values: readonly string[] | null;
};

/** What a request gives for own features, by name as written there. */
export type GivenFeatures = Readonly<Record<string, string | number | boolean>>;

/** Limits of `property_fields.features`. */
export const GIVEN_FEATURES = { count: 50, nameLength: 100, textLength: 200 } as const;

/** The name of an own feature in `inputs` and warnings: its path in `property_fields`. */
export function featureField(name: string): string {
  return `features.${name}`;
}
