import proj4 from 'proj4';

/** A position on a map: units of the projection east and north of its origin, mostly meters. */
export interface ProjectedPoint {
  readonly x: number;
  readonly y: number;
}

export interface Projection {
  readonly project: (lat: number, lon: number) => ProjectedPoint;
  readonly unproject: (x: number, y: number) => { readonly lat: number; readonly lon: number };
}

/** EPSG:5070, NAD83 / Conus Albers: the grid of the Forest Service's and the USGS's national rasters. */
export const CONUS_ALBERS =
  '+proj=aea +lat_1=29.5 +lat_2=45.5 +lat_0=23 +lon_0=-96 +x_0=0 +y_0=0 +ellps=GRS80 +units=m +no_defs';

/** A projection by its PROJ definition or .prj text. NAD83 is taken as WGS84: they differ by 1 to 2 m. */
export function openProjection(definition: string): Projection {
  const { forward, inverse } = proj4(definition);
  return {
    project(lat, lon) {
      const [x, y] = forward([lon, lat]);
      return { x, y };
    },
    unproject(x, y) {
      const [lon, lat] = inverse([x, y]);
      return { lat, lon };
    },
  };
}
