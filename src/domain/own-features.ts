/** A feature that one market has besides the standard details, kept from a source column. */
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

/** What a candidate column says about sales after the training of the test. */
type FeatureTest = {
  readonly name: string;
  readonly isChosen: boolean;
  /** How much the mean absolute error rises, as a share, if the column's values are exchanged between sales. */
  readonly gain: number;
  /** Standard error of the gain, paired by sale and clustered by month. */
  readonly standardError: number;
};

/** The test of a market's candidate columns. */
export type FeatureChoice = {
  /** Sales that the columns were tested on; 0 where they are too few for a test, so that none is chosen. */
  readonly sales: number;
  /** How much lower the mean absolute error is with all chosen columns than without any, as a share. */
  readonly gain: number;
  readonly standardError: number;
  /** Best first; empty without a test. */
  readonly tests: readonly FeatureTest[];
};

/** What a request gives for own features, by name as written there. */
export type GivenFeatures = Readonly<Record<string, string | number | boolean>>;

/** Limits of `property_fields.features`. */
export const GIVEN_FEATURES = { count: 50, nameLength: 100, textLength: 200 } as const;

/**
 * Texts of a feature with the same key are one value: case does not matter, nor do spaces next to punctuation. In 2019
 * Milwaukee's exterior wall "Aluminum / Vinyl" became "Aluminum/Vinyl". A sign does matter: grades are B+, B and B-.
 */
export function featureTextKey(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([^\p{L}\p{N} ]) ?/gu, '$1');
}

/** The name of an own feature in `inputs` and warnings: its path in `property_fields`. */
export function featureField(name: string): string {
  return `features.${name}`;
}

/** The name of a feature that says where a home is, as local people do. */
export const NEIGHBORHOOD = /neighbou?rhood|subdivision/i;
