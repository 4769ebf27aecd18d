/** Longitude and latitude in degrees, interleaved (lon, lat, lon, lat, …); the last point repeats the first. */
export type Ring = Float64Array;

/** The outer ring, counterclockwise, then its holes, clockwise (RFC 7946 §3.1.6). A point is inside by even-odd. */
export type Polygon = readonly Ring[];
