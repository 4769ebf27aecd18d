import type { JsonValue } from '../../domain/json.ts';
import { repairShape } from '../../geo/areas/area-shape.ts';
import { areasOfTopology, type TopologyArea } from '../../geo/topology.ts';
import { fileFault, MOST_PROPERTIES, MOST_VERTICES, type Feature, type FeatureValue } from './feature.ts';

/** TopoJSON cannot be streamed: its arcs may stand behind what refers to them. The whole of the US in full detail has 60 MB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads the areas of all objects of a TopoJSON file. */
export async function* readTopoJson(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Feature> {
  const topology = await parseWhole(path, chunks);
  const areas = areasOfTopology(topology, MOST_VERTICES);
  for (let ordinal = 1; ; ordinal++) {
    const area = nextArea(path, areas);
    if (area === null) return;
    const shape = typeof area.polygons === 'string' ? { fault: area.polygons } : repairShape(area.polygons);
    yield { ordinal, properties: propertiesOf(path, ordinal, area), shape };
  }
}

function nextArea(path: string, areas: Generator<TopologyArea>): TopologyArea | null {
  try {
    const next = areas.next();
    return next.done ? null : next.value;
  } catch (cause) {
    throw fileFault(
      path,
      `the TopoJSON is damaged: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    );
  }
}

async function parseWhole(path: string, chunks: AsyncIterable<Uint8Array>): Promise<JsonValue> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) {
      throw fileFault(
        path,
        `TopoJSON is read up to ${MOST_BYTES / 1024 / 1024} MB; import larger areas as GeoJSON or shapefile`,
      );
    }
    pieces.push(chunk);
  }
  const text = Buffer.concat(pieces)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  try {
    const parsed: JsonValue = JSON.parse(text);
    return parsed;
  } catch (cause) {
    throw fileFault(
      path,
      `the JSON is damaged: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    );
  }
}

/** The scalar members, with the id where no member has that name. */
function propertiesOf(path: string, ordinal: number, area: TopologyArea): Record<string, FeatureValue> {
  const members = Object.entries({ ...(area.id === null ? {} : { id: area.id }), ...area.properties });
  if (members.length > MOST_PROPERTIES) {
    throw fileFault(path, `feature ${ordinal} has more than ${MOST_PROPERTIES} properties`);
  }
  return Object.fromEntries(members.flatMap(([name, value]) => (isScalar(value) ? [[name, value]] : [])));
}

function isScalar(value: JsonValue | undefined): value is FeatureValue {
  return value !== undefined && (value === null || typeof value !== 'object');
}
