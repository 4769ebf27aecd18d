import { PlumblineError } from '../../errors.ts';
import { MOST_POINTS, type AreaShape, type ShapeFault } from '../../geo/areas/area-shape.ts';

export type FeatureValue = string | number | boolean | null;

/** One area of a file: what it says of it, and its shape or what is wrong with that. */
export interface Feature {
  /** 1 for the first feature of the file. */
  readonly ordinal: number;
  readonly properties: Readonly<Record<string, FeatureValue>>;
  readonly shape: AreaShape | FeatureFault;
}

/** Why a feature has no shape: what ails its rings, or that it has none. */
export type FeatureFault = ShapeFault | { readonly fault: 'no_geometry' | 'not_a_polygon' | 'malformed' };

/** A file of areas, read once. What is wrong with the file as a whole is thrown on the way, as a `usage` error. */
export interface FeatureFile {
  readonly format: 'geojson' | 'topojson' | 'shapefile';
  readonly features: AsyncIterable<Feature>;
}

/** No reader keeps more of a feature than an area may have. */
export const MOST_VERTICES = MOST_POINTS;
/** Each ring is an object of its own; the most in a real feature are some ten thousand islands. */
export const MOST_RINGS = 250_000;
/** As of tables: more members are a slip. */
export const MOST_PROPERTIES = 200;
export const MOST_FEATURES = 5_000_000;

/** Reading bytes expands them by so much at most; real files by 3 to 20. */
export const MOST_RATIO = 100;

export function fileFault(path: string, what: string, cause?: unknown): PlumblineError {
  return new PlumblineError('usage', `${path}: ${what}. Nothing was loaded.`, { cause });
}
