type Outline = readonly (readonly (readonly [number, number][])[])[];

export interface OutlinedFeature<Area> {
  readonly type: 'Feature';
  readonly geometry: { readonly type: 'MultiPolygon'; readonly coordinates: [number, number][][][] };
  readonly properties: Area;
}

/** Areas on a flat map. Degrees of longitude are multiplied by `shrink`, for the middle latitude of the market. */
export function outlinedFeatures<Area extends { readonly outline: Outline }>(areas: readonly Area[]) {
  const shrink = shrinkAt(areas.map(({ outline }) => outline[0]?.[0]?.[0]?.[1] ?? 0));
  const features = areas.map((area): OutlinedFeature<Area> => ({
    type: 'Feature',
    properties: area,
    geometry: {
      type: 'MultiPolygon',
      coordinates: area.outline.map((rings) =>
        rings.map((ring) => ring.map(([lon, lat]): [number, number] => [lon * shrink, lat])),
      ),
    },
  }));
  return { features, shrink };
}

/** Miles of a degree of longitude by those of a degree of latitude, at the middle one. */
export function shrinkAt(latitudes: readonly number[]): number {
  const middle = latitudes.toSorted((a, b) => a - b)[Math.floor(latitudes.length / 2)] ?? 0;
  return Math.cos((middle * Math.PI) / 180);
}
