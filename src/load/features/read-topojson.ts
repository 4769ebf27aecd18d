import type { JsonValue } from '../../domain/json.ts';
import { repairShape } from '../../geo/areas/area-shape.ts';
import { areasOfTopology, type TopologyArea } from '../../geo/topology.ts';
import {
  fileFault,
  MOST_PROPERTIES,
  MOST_VERTICES,
  reasonOf,
  type Feature,
  type FeatureValue,
} from './feature.ts';

/** TopoJSON cannot be streamed: arcs may come after what refers to them. The whole US in full detail has 60 MB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads the areas of all objects of a TopoJSON file. */
export async function* readTopoJson(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Feature> {
  const text = await readWhole(path, chunks);
  const parsed: JsonValue = explained(path, 'JSON', () => JSON.parse(text));
  const areas = areasOfTopology(parsed, MOST_VERTICES);
  for (let line = 1; ; line++) {
    const next = explained(path, 'TopoJSON', () => areas.next());
    if (next.done) return;
    const { polygons } = next.value;
    const shape = typeof polygons === 'string' ? { fault: polygons } : repairShape(polygons);
    yield { line, properties: propertiesOf(path, line, next.value), shape };
  }
}

function explained<Result>(path: string, format: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw fileFault(path, `the ${format} is damaged: ${reasonOf(cause)}`, cause);
  }
}

async function readWhole(path: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) {
      const limit = `${MOST_BYTES / 1024 / 1024} MB`;
      throw fileFault(path, `TopoJSON is read up to ${limit}; import larger areas as GeoJSON or shapefile`);
    }
    pieces.push(chunk);
  }
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

/** The scalar members, with the id if no member has that name. */
function propertiesOf(path: string, line: number, { id, properties }: TopologyArea): Feature['properties'] {
  const members = Object.entries({ ...(id === null ? {} : { id }), ...properties });
  if (members.length > MOST_PROPERTIES) {
    throw fileFault(path, `feature ${line} has more than ${MOST_PROPERTIES} properties`);
  }
  return Object.fromEntries(members.flatMap(([name, value]) => (isScalar(value) ? [[name, value]] : [])));
}

function isScalar(value: JsonValue | undefined): value is FeatureValue {
  return value !== undefined && (value === null || typeof value !== 'object');
}
