import type { MarketExtent } from '../../api/settings.ts';
import {
  boxOf,
  homeOf,
  rounded,
  type Box,
  type MapContent,
  type MapMarker,
  type Point,
} from './map-content.ts';
import { readMapColors } from './map-colors.ts';
import { AttributionControl, LibraryMap, Marker, NavigationControl, ScaleControl } from './map-library.ts';
import { mapStyle } from './map-style.ts';

/** A map on the page, and what can be done with it. */
export interface DrawnMap {
  /** Draws what is to be seen now, and moves there where that is elsewhere than before. */
  readonly show: (content: MapContent) => void;
  readonly moveTo: (box: Box) => void;
  /** Draws itself in the colors of the theme in force. */
  readonly recolor: () => void;
  readonly remove: () => void;
}

export interface MapSettings {
  /** Read out for the map itself. */
  readonly label: string;
  /** Images of the operator's own; null = the map of what is loaded. */
  readonly tilesUrl: string | null;
  readonly markets: readonly MarketExtent[];
  /** Given, a place can be picked: by a click, or Enter in the middle of the map. */
  readonly onPick: ((point: Point) => void) | null;
  readonly onSelect: (id: string) => void;
  /** What could not be loaded. */
  readonly onTrouble: (message: string) => void;
}

/** Room around what is shown, in pixels: markers stand on their points. */
const PADDING = 48;
/** The closest automatic zoom: the blocks around a single home stay visible. */
const CLOSEST = 15.5;
/** The server draws nothing farther out. */
const FARTHEST = 3;

export function drawMap(frame: HTMLElement, content: MapContent, settings: MapSettings): DrawnMap {
  const { label, tilesUrl, markets, onPick, onSelect, onTrouble } = settings;
  let shown = content;
  const styleOf = (drawn: MapContent) =>
    mapStyle({ colors: readMapColors(frame), origin: location.origin, tilesUrl, markets, content: drawn });
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
  map.addControl(new ScaleControl({ unit: 'imperial' }), 'bottom-left');
  map.addControl(new AttributionControl({ compact: false, customAttribution: attributionOf(tilesUrl) }));
  map.on('error', ({ error }) => onTrouble(error.message));

  if (onPick) {
    const canvas = map.getCanvas();
    canvas.classList.add('is-picked-from');
    map.on('click', ({ lngLat }) => onPick(pointOf(lngLat)));
    canvas.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      onPick(pointOf(map.getCenter()));
    });
  }
  // What waits for a picture of the page waits for this: nothing more will be drawn for now.
  map.once('idle', () => (frame.dataset.isDrawn = ''));
  const moveTo = (box: Box): void => {
    map.fitBounds([...box], { padding: PADDING, maxZoom: CLOSEST, duration: 400 });
  };
  const markers = placeMarkers(map, onSelect);
  markers(content);

  return {
    show(next) {
      const [before, after] = [boxOf(shown), boxOf(next)];
      const isElsewhere = after !== null && String(after) !== String(before);
      shown = next;
      map.setStyle(styleOf(next));
      markers(next);
      if (isElsewhere) moveTo(after);
    },
    moveTo,
    recolor() {
      map.setStyle(styleOf(shown));
    },
    remove: () => map.remove(),
  };
}

function attributionOf(tilesUrl: string | null): string {
  return tilesUrl === null ? 'Drawn from the data loaded here' : `Images from ${new URL(tilesUrl).host}`;
}

function pointOf({ lat, lng }: { readonly lat: number; readonly lng: number }): Point {
  return rounded({ latitude: lat, longitude: ((((lng + 180) % 360) + 360) % 360) - 180 });
}

/** Elements for the subject and its comparables, kept as long as they are shown. Incidents are dots of the style. */
function placeMarkers(map: LibraryMap, onSelect: (id: string) => void): (content: MapContent) => void {
  const placed = new Map<string, Marker>();
  return ({ markers, selectedId }) => {
    const wanted = new Set(markers.map(keyOf));
    for (const [key, marker] of placed) {
      if (wanted.has(key)) continue;
      marker.remove();
      placed.delete(key);
    }
    for (const marker of markers) {
      if (marker.kind === 'incident') continue;
      const known = placed.get(keyOf(marker));
      const element = known?.getElement() ?? elementOf(marker, onSelect);
      if (marker.kind === 'comparable')
        element.setAttribute('aria-pressed', String(marker.id === selectedId));
      if (known) continue;
      const added = new Marker({ element, anchor: marker.kind === 'subject' ? 'bottom' : 'center' });
      placed.set(keyOf(marker), added.setLngLat([marker.longitude, marker.latitude]).addTo(map));
      // The library calls every marker a "Map marker" that one can press.
      if (marker.kind === 'subject') element.removeAttribute('tabindex');
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
  if (element instanceof HTMLButtonElement) {
    element.type = 'button';
    element.addEventListener('click', (event) => {
      event.stopPropagation();
      onSelect(id);
    });
  } else element.setAttribute('role', 'img');
  return element;
}
