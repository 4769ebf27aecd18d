import type { JsonValue } from '../../domain/json.ts';
import { repairShape } from '../../geo/areas/area-shape.ts';
import { areasOfTopology } from '../../geo/topology.ts';
import { readWhole } from '../../tables/read-chunks.ts';
import { fileFault, MAX_VERTICES, propertiesOf, reasonOf, type Feature } from './feature.ts';

/** TopoJSON cannot be streamed: arcs may come after what refers to them. The whole US in full detail has 60 MB. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads the areas of all objects of a TopoJSON file. */
export async function* readTopoJson(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Feature> {
  const bytes = await readWhole(chunks, MAX_BYTES);
  if (bytes === null) {
    const limit = `TopoJSON is read up to ${MAX_BYTES >> 20} MB`;
    throw fileFault(path, `${limit}; import larger areas as GeoJSON or shapefile`);
  }
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const parsed: JsonValue = explained(path, 'JSON', () => JSON.parse(text));
  const areas = areasOfTopology(parsed, MAX_VERTICES);
  for (let line = 1; ; line++) {
    const next = explained(path, 'TopoJSON', () => areas.next());
    if (next.done) return;
    const { id, properties, polygons } = next.value;
    const shape = typeof polygons === 'string' ? { fault: polygons } : repairShape(polygons);
    yield { line, properties: propertiesOf(path, line, id, properties), shape };
  }
}

function explained<Result>(path: string, format: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw fileFault(path, `the ${format} is damaged: ${reasonOf(cause)}`, cause);
  }
}
