import type { JsonObject } from '../../../domain/json.ts';
import type { PolygonRings } from './polygons.ts';

/** A feature as publishers write it. */
export interface AreaFeature {
  readonly properties: JsonObject;
  readonly polygons: readonly PolygonRings[];
}

/** A FeatureCollection, one feature a line. `name` says in the file itself what it is. */
export function* geoJsonLines(name: string, features: readonly AreaFeature[]): Generator<string> {
  yield `{"type":"FeatureCollection","name":${JSON.stringify(name)},"features":[\n`;
  for (const [at, { properties, polygons }] of features.entries()) {
    const geometry =
      polygons.length === 1
        ? { type: 'Polygon', coordinates: polygons[0] }
        : { type: 'MultiPolygon', coordinates: polygons };
    yield (at === 0 ? '' : ',\n') + JSON.stringify({ type: 'Feature', properties, geometry });
  }
  yield '\n]}\n';
}
