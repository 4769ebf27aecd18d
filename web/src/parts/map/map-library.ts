/** MapLibre, with its worker as a file of ours: the page's policy allows no other. Loaded with the first map. */
import {
  AttributionControl,
  Map as LibraryMap,
  Marker,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import 'maplibre-gl/dist/maplibre-gl.css';

setWorkerUrl(workerUrl);

export { AttributionControl, LibraryMap, Marker, NavigationControl, ScaleControl };
