import {
  AttributionControl,
  Map as LibraryMap,
  type MapLayerMouseEvent,
  Marker,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type { ConsoleSettings } from '../../api/account.ts';
import { attributionOf } from './attribution.ts';
import {
  boxOf,
  homeOf,
  rounded,
  type Box,
  type MapContent,
  type MapMarker,
  type Point,
} from './map-content.ts';
import { readColors, readMapColors } from './map-colors.ts';
import { AREA_FILL, INCIDENT_DOTS, mapStyle } from './map-style.ts';

// The content security policy allows a worker only from our own files.
setWorkerUrl(workerUrl);

export type DrawnMap = ReturnType<typeof drawMap>;

interface MapSettings {
  /** The accessible name of the map. */
  readonly label: string;
  readonly settings: ConsoleSettings;
  /** Called with the location of a click, or with the center on Enter. Null = locations cannot be picked. */
  readonly onPick: ((point: Point) => void) | null;
  readonly onSelect: (id: string) => void;
  /** Called with the area under the pointer. */
  readonly onHover: (id: string | null) => void;
  readonly onError: (message: string) => void;
}

/** Space around the content in pixels: markers stand on their points. */
const PADDING = 48;
/** The closest automatic zoom: the blocks around a single home stay visible. */
const CLOSEST = 15.5;
/** Narrower maps fold the attribution when they are moved. */
const NARROW_PX = 640;
/** The server draws nothing farther out. */
const FARTHEST = 3;

export function drawMap(frame: HTMLElement, content: MapContent, settings: MapSettings) {
  const { label, settings: installation, onPick, onSelect, onHover, onError } = settings;
  const { map_tiles_url: tilesUrl, basemap, markets } = installation;
  let shown = content;
  const styleOf = (drawn: MapContent) =>
    mapStyle({
      colors: readMapColors(frame),
      contentColors: readColors(
        frame,
        [...drawn.areas, ...drawn.markers].flatMap(({ color }) => color ?? []),
      ),
      origin: location.origin,
      tilesUrl,
      basemap,
      markets,
      content: drawn,
    });
  const map = new LibraryMap({
    container: frame,
    style: styleOf(content),
    bounds: [...(boxOf(content) ?? homeOf(markets))],
    fitBoundsOptions: { padding: PADDING, maxZoom: CLOSEST },
    minZoom: FARTHEST,
    maxZoom: 19.5,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    // One finger scrolls the page, two move the map.
    cooperativeGestures: matchMedia('(pointer: coarse)').matches,
    fadeDuration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 150,
    locale: { 'Map.Title': label },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(new ScaleControl({ unit: 'imperial' }), 'top-left');
  attribute(map, (box) => attributionOf(installation, box), frame.clientWidth < NARROW_PX);
  map.on('error', ({ error }) => onError(error.message));
  if (onPick) pickFrom(map, onPick, onSelect);
  // Where a click picks a location, dots are not selected.
  listenTo(map, onPick ? [AREA_FILL] : [AREA_FILL, INCIDENT_DOTS], { onSelect, onHover });
  // Screenshots wait for this: the map is fully drawn.
  map.once('idle', () => (frame.dataset.isDrawn = ''));
  let destination: Box | null = null;
  const moveTo = (box: Box): void => {
    map.fitBounds([...box], { padding: PADDING, maxZoom: CLOSEST, duration: 400 });
    destination = box;
  };
  map.on('moveend', () => (destination = null));
  // A move ends at the pixels of its start: in a frame that changes meanwhile, that is somewhere else.
  map.on('resize', () => destination && moveTo(destination));
  const placeMarkers = markerLayer(map, onSelect);
  placeMarkers(content);

  return {
    /** Draws other content, and moves the map if that content is somewhere else. */
    show(next: MapContent): void {
      const before = shown;
      shown = next;
      if (drawnContent(next) !== drawnContent(before)) map.setStyle(styleOf(next));
      placeMarkers(next);
      const after = boxOf(next);
      if (after !== null && String(after) !== String(boxOf(before))) moveTo(after);
    },
    /** Marks a marker, such as that of the table's row under the pointer. */
    highlight(id: string | null): void {
      for (const each of frame.querySelectorAll<HTMLElement>('.map-marker')) {
        each.classList.toggle('highlighted', each.dataset.id === id);
      }
    },
    moveTo,
    setLabel: (text: string): void => map.getCanvas().setAttribute('aria-label', text),
    /** Draws it in the colors of the current theme. */
    recolor: (): void => void map.setStyle(styleOf(shown)),
    remove: (): void => map.remove(),
  };
}

/** Names the sources of what the window shows, also when it has moved to another market. */
function attribute(map: LibraryMap, textIn: (box: Box) => string, compact: boolean): void {
  let shown: { readonly text: string; readonly control: AttributionControl } | null = null;
  const update = (): void => {
    const bounds = map.getBounds();
    const text = textIn([bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]);
    if (shown?.text === text) return;
    if (shown) map.removeControl(shown.control);
    shown = { text, control: new AttributionControl({ compact, customAttribution: text }) };
    map.addControl(shown.control);
  };
  update();
  map.on('moveend', update);
}

/** The content that the style draws. Other markers are elements. */
function drawnContent({ markers, circle, areas, labels, selectedId }: MapContent): string {
  const incidents = markers.filter(({ kind }) => kind === 'incident');
  const hasSelection = incidents.length > 0 || areas.length > 0;
  return JSON.stringify([circle, incidents, areas, labels, hasSelection && selectedId]);
}

/** By keyboard, Enter picks the center of the map and the area there. */
function pickFrom(map: LibraryMap, onPick: (point: Point) => void, onSelect: (id: string) => void): void {
  const canvas = map.getCanvas();
  canvas.classList.add('is-picked-from');
  const pick = ({ lat, lng }: { readonly lat: number; readonly lng: number }): void =>
    onPick(rounded({ latitude: lat, longitude: ((((lng + 180) % 360) + 360) % 360) - 180 }));
  map.on('click', ({ lngLat }) => pick(lngLat));
  canvas.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const center = map.getCenter();
    pick(center);
    if (!map.getLayer(AREA_FILL)) return;
    const id = idOfFeature(map.queryRenderedFeatures(map.project(center), { layers: [AREA_FILL] }));
    if (id !== null) onSelect(id);
  });
}

/** Reports the areas or dots of layers under the pointer, and those that are clicked. */
function listenTo(
  map: LibraryMap,
  layers: readonly string[],
  { onSelect, onHover }: Pick<MapSettings, 'onSelect' | 'onHover'>,
): void {
  let hovered: string | null = null;
  const hover = (id: string | null): void => {
    if (id === hovered) return;
    hovered = id;
    map.getCanvas().classList.toggle('is-over-area', id !== null);
    onHover(id);
  };
  for (const layer of layers) {
    map.on('mousemove', layer, ({ features }) => hover(idOfFeature(features)));
    map.on('mouseleave', layer, () => hover(null));
    map.on('click', layer, ({ features }) => {
      const id = idOfFeature(features);
      if (id !== null) onSelect(id);
    });
  }
}

function idOfFeature(features: MapLayerMouseEvent['features']): string | null {
  const id: unknown = features?.[0]?.properties.id;
  return typeof id === 'string' ? id : null;
}

/** Elements for the subject and its comparables. Incidents are dots of the style. */
function markerLayer(map: LibraryMap, onSelect: (id: string) => void): (content: MapContent) => void {
  const placed = new Map<string, Marker>();
  return ({ markers, selectedId }) => {
    const elements = markers.filter(({ kind }) => kind !== 'incident');
    const keys = new Set(elements.map(keyOf));
    for (const [key, marker] of placed) {
      if (keys.has(key)) continue;
      marker.remove();
      placed.delete(key);
    }
    for (const marker of elements) {
      const known = placed.get(keyOf(marker));
      const element = known?.getElement() ?? elementOf(marker, onSelect);
      const isSubject = marker.kind === 'subject';
      if (!isSubject) element.setAttribute('aria-pressed', String(marker.id === selectedId));
      if (known) continue;
      const added = new Marker({ element, anchor: isSubject ? 'bottom' : 'center' });
      placed.set(keyOf(marker), added.setLngLat([marker.longitude, marker.latitude]).addTo(map));
      // The library makes every marker a focusable "Map marker".
      if (isSubject) element.removeAttribute('tabindex');
      element.setAttribute('aria-label', marker.title);
    }
  };
}

function keyOf({ kind, id, label, title, latitude, longitude }: MapMarker): string {
  return JSON.stringify([kind, id, label, title, latitude, longitude]);
}

function elementOf({ kind, id, label, title }: MapMarker, onSelect: (id: string) => void): HTMLElement {
  const element = document.createElement(kind === 'comparable' ? 'button' : 'div');
  element.className = `map-marker ${kind}`;
  element.title = title;
  element.textContent = label ?? '';
  element.dataset.id = id;
  if (element instanceof HTMLButtonElement) {
    element.type = 'button';
    // The rows of the table do the same. Otherwise the Tab key would stop at each price before the next control.
    element.tabIndex = -1;
    element.addEventListener('click', (event) => {
      event.stopPropagation();
      onSelect(id);
    });
  } else element.setAttribute('role', 'img');
  return element;
}
