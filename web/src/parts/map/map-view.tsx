import { useEffect, useRef, useState } from 'preact/hooks';
import { readSettings, type ConsoleSettings, type MarketExtent } from '../../api/settings.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { onThemeChange } from '../../shell/theme.ts';
import { Button } from '../button.tsx';
import { ProblemNotice, Waiting } from '../notice.tsx';
import type { DrawnMap } from './draw-map.ts';
import {
  boxOfExtent,
  type MapArea,
  type MapCircle,
  type MapContent,
  type MapMarker,
  type Point,
} from './map-content.ts';
import './map.css';

/** Those with the most sales; the others are seen on the map from afar. */
const MARKETS_OFFERED = 12;

interface MapViewProps {
  /** "Map of the home and its comparables": what it shows. */
  readonly label: string;
  /** Where the same is said in words: "The table below lists them." */
  readonly alternative: string;
  readonly markers?: readonly MapMarker[];
  readonly areas?: readonly MapArea[];
  readonly circle?: MapCircle | null;
  readonly selectedId?: string | null;
  readonly onSelect?: (id: string) => void;
  /** Given, somebody can pick a place: by a click, or with Enter in the middle of the map. */
  readonly onPick?: (point: Point) => void;
}

/** A map of what is loaded, without asking anybody outside. Its code is loaded with the first one. */
export function MapView(props: MapViewProps) {
  const settings = useAnswer(readSettings, []);
  if (!isWebglThere()) return <NoMap {...props} />;
  if (settings.problem) return <ProblemNotice problem={settings.problem} onRetry={settings.reload} />;
  return (
    <figure class="map">
      {settings.answer === null ? (
        <div class="map-frame">
          <Waiting for="Opening the map" />
        </div>
      ) : (
        <MapFrame {...props} settings={settings.answer} />
      )}
      <figcaption class="quiet small">
        {props.label}. {props.alternative}
        {props.onPick && <PickHint />}
      </figcaption>
    </figure>
  );
}

function MapFrame({ settings, ...props }: MapViewProps & { readonly settings: ConsoleSettings }) {
  const { label } = props;
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const [map, setMap] = useState<DrawnMap | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const canPick = props.onPick !== undefined;
  useEffect(() => {
    const state: { map: DrawnMap | null; isGone: boolean } = { map: null, isGone: false };
    import('./draw-map.ts').then(({ drawMap }) => {
      if (state.isGone || !frame.current) return;
      state.map = drawMap(frame.current, contentOf(latest.current), {
        label,
        tilesUrl: settings.map_tiles_url,
        markets: settings.markets,
        onPick: canPick ? (point) => latest.current.onPick?.(point) : null,
        onSelect: (id) => latest.current.onSelect?.(id),
        onTrouble: setTrouble,
      });
      setMap(state.map);
    }, setError);
    return () => {
      state.isGone = true;
      state.map?.remove();
    };
  }, [label, settings, canPick]);
  const { markers, areas, circle, selectedId } = contentOf(props);
  useEffect(
    () => map?.show({ markers, areas, circle, selectedId }),
    [map, markers, areas, circle, selectedId],
  );
  useEffect(() => (map ? onThemeChange(map.recolor) : undefined), [map]);
  if (error) throw error;
  return (
    <>
      <div class="map-frame" ref={frame}>
        {map === null && <Waiting for="Opening the map" />}
      </div>
      {canPick && (
        <MarketButtons markets={settings.markets} onMarket={(market) => map?.moveTo(boxOfExtent(market))} />
      )}
      {trouble !== null && (
        <p class="small quiet" role="status">
          A part of the map could not be loaded: {trouble}
        </p>
      )}
    </>
  );
}

const NO_MARKERS: readonly MapMarker[] = [];
const NO_AREAS: readonly MapArea[] = [];

function contentOf(props: MapViewProps): MapContent {
  const { markers = NO_MARKERS, areas = NO_AREAS, circle = null, selectedId = null } = props;
  return { markers, areas, circle, selectedId };
}

/** Where there are several markets: moves the map to one of them. */
function MarketButtons(props: {
  readonly markets: readonly MarketExtent[];
  readonly onMarket: (market: MarketExtent) => void;
}) {
  const { markets, onMarket } = props;
  if (markets.length < 2) return null;
  return (
    <div class="map-markets" role="group" aria-label="Move the map to a market">
      {markets.slice(0, MARKETS_OFFERED).map((market) => (
        <Button key={market.id} isSmall onClick={() => onMarket(market)}>
          {market.id}
        </Button>
      ))}
    </div>
  );
}

function PickHint() {
  return (
    <>
      {' '}
      Click to pick a place. By keyboard: arrows and + − move the map, <kbd>Enter</kbd> takes its middle.
    </>
  );
}

function NoMap({ label, alternative, onPick }: MapViewProps) {
  return (
    <p class="quiet small">
      {label}: this browser draws no maps here, because WebGL is off or missing. {alternative}{' '}
      {onPick ? 'Places can be named by address or coordinates instead.' : 'Everything else works.'}
    </p>
  );
}

let isThere: boolean | null = null;

/** Asked once: every try takes one of the few drawing contexts that a browser gives. */
function isWebglThere(): boolean {
  isThere ??= document.createElement('canvas').getContext('webgl2') !== null;
  return isThere;
}
