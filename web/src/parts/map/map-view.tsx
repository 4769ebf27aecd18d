import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { marketName } from '../../../../src/domain/market-name.ts';
import { readSettings, type ConsoleSettings } from '../../api/account.ts';
import { useRequest } from '../../api/use-request.ts';
import { onThemeChange } from '../../shell/theme.ts';
import { Button, ProblemNotice, Waiting } from '../basics.tsx';
import type { DrawnMap } from './draw-map.ts';
import { boxOfExtent, type MapContent, type Point } from './map-content.ts';
import './map.css';

/** Buttons for the markets with the most sales. The others are visible when zoomed out. */
const MAX_MARKET_BUTTONS = 12;

interface MapViewProps extends Partial<MapContent> {
  /** What the map shows: "Map of the home and its comparables". */
  readonly label: string;
  /** Where the same is in words: "The table below lists them." */
  readonly alternative: string;
  readonly onSelect?: (id: string) => void;
  /** Called with the area under the pointer. */
  readonly onHover?: (id: string | null) => void;
  /** The marker that is marked without being selected. */
  readonly highlightedId?: string | null;
  /** Shown in a corner of the map: what is selected. */
  readonly card?: ComponentChildren;
  /** Lets the user pick a location: by a click, or with Enter at the center of the map. */
  readonly onPick?: (point: Point) => void;
  /** Whether a click picks a location or identifies an area. */
  readonly picks?: 'location' | 'area';
}

/** A map of the loaded data, without requests to other hosts. Its code is loaded with the first map. */
export function MapView(props: MapViewProps) {
  const { label, alternative, onPick, picks = 'location' } = props;
  const settings = useRequest(readSettings, []);
  if (!isWebglSupported()) {
    return (
      <p class="quiet small">
        {label}: this browser cannot draw maps, because WebGL is off or missing. {alternative}{' '}
        {onPick ? 'Enter an address or coordinates instead.' : 'Everything else works.'}
      </p>
    );
  }
  if (settings.problem) return <ProblemNotice problem={settings.problem} onRetry={settings.reload} />;
  return (
    <figure class="map">
      {settings.data === null ? (
        <div class="map-frame">
          <Waiting for="Opening the map" />
        </div>
      ) : (
        <MapFrame {...props} settings={settings.data} />
      )}
      <figcaption class="quiet small">
        {label}. {alternative}
        {onPick && (
          <>
            {' '}
            {picks === 'area' ? 'Click an area to identify it.' : 'Click to pick a location.'} By keyboard:
            arrows and + − move the map, <kbd>Enter</kbd>{' '}
            {picks === 'area' ? 'identifies the area at its center.' : 'picks its center.'}
          </>
        )}
      </figcaption>
    </figure>
  );
}

function MapFrame({ settings, ...props }: MapViewProps & { readonly settings: ConsoleSettings }) {
  const { label } = props;
  const { markets } = settings;
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const [map, setMap] = useState<DrawnMap | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  const canPick = props.onPick !== undefined;
  useEffect(() => {
    const state: { map: DrawnMap | null; isGone: boolean } = { map: null, isGone: false };
    import('./draw-map.ts').then(({ drawMap }) => {
      if (state.isGone || !frame.current) return;
      state.map = drawMap(frame.current, contentOf(latest.current), {
        label,
        settings,
        onPick: canPick ? (point) => latest.current.onPick?.(point) : null,
        onSelect: (id) => latest.current.onSelect?.(id),
        onHover: (id) => latest.current.onHover?.(id),
        onError: setMissing,
      });
      setMap(state.map);
    }, setError);
    return () => {
      state.isGone = true;
      state.map?.remove();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- a new label does not draw another map
  }, [settings, canPick]);
  useEffect(() => map?.setLabel(label), [map, label]);
  const { markers, circle, areas, labels, selectedId } = contentOf(props);
  useEffect(
    () => map?.show({ markers, circle, areas, labels, selectedId }),
    [map, markers, circle, areas, labels, selectedId],
  );
  const { highlightedId = null, card } = props;
  useEffect(() => map?.highlight(highlightedId), [map, highlightedId]);
  useEffect(() => (map ? onThemeChange(map.recolor) : undefined), [map]);
  if (error) throw error;
  return (
    <>
      <div class="map-stage">
        <div class="map-frame" ref={frame}>
          {map === null && <Waiting for="Opening the map" />}
        </div>
        {card && (
          <div class="map-card card" role="status">
            {card}
          </div>
        )}
      </div>
      {canPick && markets.length > 1 && (
        <div class="row map-markets" role="group" aria-label="Move the map to a market">
          {markets.slice(0, MAX_MARKET_BUTTONS).map((market) => (
            <Button key={market.id} isSmall onClick={() => map?.moveTo(boxOfExtent(market))}>
              {marketName(market.id)}
            </Button>
          ))}
        </div>
      )}
      {missing !== null && (
        <p class="small quiet" role="status">
          A part of the map could not be loaded: {missing}
        </p>
      )}
    </>
  );
}

/** Always the same empty list, so that nothing is drawn again. */
const NONE: readonly never[] = [];

function contentOf(props: MapViewProps): MapContent {
  const { markers = NONE, circle = null, areas = NONE, labels = NONE, selectedId = null } = props;
  return { markers, circle, areas, labels, selectedId };
}

let isSupported: boolean | null = null;

/** Checked once, because each check takes one of the few drawing contexts of a browser. */
function isWebglSupported(): boolean {
  isSupported ??= document.createElement('canvas').getContext('webgl2') !== null;
  return isSupported;
}
