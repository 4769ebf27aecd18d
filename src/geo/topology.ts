import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';

interface TopologyArea {
  /** The name of the object it belongs to: "counties". */
  readonly object: string;
  readonly id: string | number | null;
  readonly properties: JsonObject;
  /** Polygons of rings of interleaved lon, lat. A point or a line is 'not_a_polygon'. */
  readonly polygons: readonly (readonly Float64Array[])[] | 'not_a_polygon' | 'too_many_points';
}

/**
 * The areas of a TopoJSON topology, in the order of its objects. A border that two areas share is one arc, so
 * both get the same bits. Areas of more than `mostPoints` are skipped: a small file can name a long arc a
 * million times. Throws an error with a description if the text is not a topology.
 */
export function* areasOfTopology(topology: JsonValue, mostPoints: number): Generator<TopologyArea> {
  if (!isJsonObject(topology) || topology.type !== 'Topology') throw new Error('it is not TopoJSON');
  const arcs = decodeArcs(topology);
  const objects = isJsonObject(topology.objects) ? Object.entries(topology.objects) : [];
  if (objects.length === 0) throw new Error('it has no objects');
  for (const [name, object] of objects) {
    if (!isJsonObject(object)) throw new Error('one of its objects is not a JSON object');
    const members = object.type === 'GeometryCollection' ? listOf(object.geometries, 'geometries') : [object];
    for (const geometry of members) {
      if (!isJsonObject(geometry)) throw new Error('one of its geometries is not an object');
      const { id, properties } = geometry;
      yield {
        object: name,
        id: typeof id === 'string' || typeof id === 'number' ? id : null,
        properties: isJsonObject(properties) ? properties : {},
        polygons: polygonsOf(geometry, arcs, mostPoints),
      };
    }
  }
}

function polygonsOf(
  geometry: JsonObject,
  arcs: readonly Float64Array[],
  mostPoints: number,
): TopologyArea['polygons'] {
  const { type } = geometry;
  if (type !== 'Polygon' && type !== 'MultiPolygon') return 'not_a_polygon';
  const given = listOf(geometry.arcs, 'arcs');
  const polygons = (type === 'Polygon' ? [given] : given).map((rings) =>
    listOf(rings, 'arcs').map((ring) => listOf(ring, 'arcs').map((index) => arcNumber(index, arcs.length))),
  );
  let points = 0;
  for (const index of polygons.flat(2)) {
    points += arcs[index < 0 ? ~index : index].length / 2;
    if (points > mostPoints) return 'too_many_points';
  }
  return polygons
    .map((rings) => rings.map((ring) => joinArcs(ring, arcs)))
    .filter(([outer]) => outer !== undefined && !isCollapsed(outer))
    .map((rings) => rings.filter((ring) => !isCollapsed(ring)));
}

/** Quantization merges the points of small islands. Fewer than three different points have no area. */
function isCollapsed(ring: Float64Array): boolean {
  return ring.length < 8;
}

/** A negative number means arc ~n, reversed. */
function arcNumber(index: JsonValue, count: number): number {
  if (typeof index === 'number' && Number.isInteger(index) && index < count && ~index < count) return index;
  throw new Error('a geometry names an arc that is not there');
}

/** Each arc starts where the previous one ended; that point is written once. */
function joinArcs(indexes: readonly number[], arcs: readonly Float64Array[]): Float64Array {
  const length = indexes.reduce((sum, index) => sum + arcs[index < 0 ? ~index : index].length, 0);
  const ring = new Float64Array(Math.max(0, length - 2 * Math.max(0, indexes.length - 1)));
  let at = 0;
  for (const [order, index] of indexes.entries()) {
    const arc = arcs[index < 0 ? ~index : index];
    for (let i = order === 0 ? 0 : 2; i < arc.length; i += 2) {
      const from = index < 0 ? arc.length - 2 - i : i;
      ring[at++] = arc[from];
      ring[at++] = arc[from + 1];
    }
  }
  return ring;
}

/** Arcs in degrees. With a `transform` they are integer deltas from point to point; without one, degrees. */
function decodeArcs(topology: JsonObject): Float64Array[] {
  const transform = isJsonObject(topology.transform) ? topology.transform : null;
  const [scaleX, scaleY] = transform ? pairOf(transform.scale) : [1, 1];
  const [shiftX, shiftY] = transform ? pairOf(transform.translate) : [0, 0];
  return listOf(topology.arcs, 'arcs').map((given) => {
    const points = listOf(given, 'arcs');
    if (points.length < 2) throw new Error('an arc has fewer than two points');
    const arc = new Float64Array(2 * points.length);
    let x = 0;
    let y = 0;
    points.forEach((point, i) => {
      const [stepX, stepY] = pairOf(point);
      x = transform ? x + stepX : stepX;
      y = transform ? y + stepY : stepY;
      arc[2 * i] = x * scaleX + shiftX;
      arc[2 * i + 1] = y * scaleY + shiftY;
    });
    return arc;
  });
}

function pairOf(value: JsonValue | undefined): readonly [number, number] {
  const [x, y] = isList(value) ? value : [];
  if (typeof x === 'number' && typeof y === 'number') return [x, y];
  throw new Error('a position is not a pair of numbers');
}

function listOf(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  if (isList(value)) return value;
  throw new Error(`its ${name} are not a list`);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
