import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import { PlumblineError, usageError } from '../../errors.ts';
import { MAX_POINTS, type AreaShape, type ShapeFault } from '../../geo/areas/area-shape.ts';

export type FeatureValue = string | number | boolean | null;

/** One area of a file, or one line or point where these are wanted. */
export interface Feature {
  /** 1 for the first feature of the file. */
  readonly line: number;
  readonly properties: Readonly<Record<string, FeatureValue>>;
  readonly shape: FeatureShape;
}

/**
 * A shape of lines has `isLine`: each of its polygons is one path that is not closed. A point has `isPoint`: one path of one
 * point.
 */
export type FeatureShape =
  (AreaShape & { readonly isLine?: boolean; readonly isPoint?: boolean }) | FeatureFault;

/** Why a feature has no shape. */
type FeatureFault =
  ShapeFault | { readonly fault: 'no_geometry' | 'not_a_polygon' | 'not_a_line' | 'malformed' };

/** Which shapes an import reads: `places` are areas and points. Others are faults. */
export type WantedShapes = 'areas' | 'lines' | 'either' | 'places';

/** No reader keeps more of a feature than an area may have. */
export const MAX_VERTICES = MAX_POINTS;
/** Each ring is an object in memory. Real features have at most about ten thousand islands. */
export const MAX_RINGS = 250_000;
/** As in tables: more members are a mistake. */
export const MAX_PROPERTIES = 200;
export const MAX_FEATURES = 5_000_000;

/** Decompression expands a file at most by this factor; real files by 3 to 20. */
export const MAX_RATIO = 100;

export function fileFault(path: string, what: string, cause?: unknown): PlumblineError {
  return usageError(`${path}: ${what}. Nothing was loaded.`, cause);
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** The scalar properties, with the id if none of them has that name. */
export function propertiesOf(
  path: string,
  line: number,
  id: JsonValue | undefined,
  properties: JsonValue | undefined,
): Feature['properties'] {
  const members = Object.entries(isJsonObject(properties) ? properties : {});
  const scalars = members.flatMap(([name, value]) => (isScalar(value) ? [[name, value] as const] : []));
  if (scalars.length > MAX_PROPERTIES) {
    throw fileFault(path, `feature ${line} has more than ${MAX_PROPERTIES} properties`);
  }
  return { ...(id !== null && isScalar(id) && { id }), ...Object.fromEntries(scalars) };
}

function isScalar(value: JsonValue | undefined): value is FeatureValue {
  return value !== undefined && (value === null || typeof value !== 'object');
}
