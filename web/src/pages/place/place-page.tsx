import { useLocation } from 'preact-iso/router';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { readFloodZone, type Incident, type PlaceInfo } from '../../api/places.ts';
import { readSettings, type MarketExtent } from '../../api/settings.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Button } from '../../parts/button.tsx';
import { AddressField } from '../../parts/map/address-field.tsx';
import type { MapMarker, Point } from '../../parts/map/map-content.ts';
import { MapView } from '../../parts/map/map-view.tsx';
import { readWhere, whereOf, whereText, writeWhere, type Where } from '../../parts/map/where.ts';
import { EmptyState, Waiting } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { CensusSection } from './census-section.tsx';
import { CrimeSection, type ShownCrime } from './crime-section.tsx';
import { FireSection, FloodSection } from './hazard-sections.tsx';
import { incidentKey } from './incident-key.ts';
import { loadNames } from './load-commands.ts';
import { PlaceFound } from './place-found.tsx';
import { PlaceProblem } from './place-problem.tsx';
import './place.css';

/** What is known of a place: census, crime, fire and flood. Which place stands in the page's address. */
export default function PlacePage() {
  const { query, path, route } = useLocation();
  const named = writtenOf(readWhere(query));
  const where = useMemo(() => readWhere(Object.fromEntries(new URLSearchParams(named))), [named]);
  const go = (next: Where): void => route(`${path}?${writeWhere(next)}`);
  return (
    <Page
      title="Place"
      lead="Census, crime, wildfire and flood of an address or any point, from what is loaded here."
      isWide
    >
      <WhereForm where={where} onWhere={go} />
      {where === null ? <NothingYet onPick={go} /> : <PlaceAt key={named} where={where} onWhere={go} />}
    </Page>
  );
}

function writtenOf(where: Where | null): string {
  return where === null ? '' : writeWhere(where);
}

function WhereForm({
  where,
  onWhere,
}: {
  readonly where: Where | null;
  readonly onWhere: (where: Where) => void;
}) {
  const said = where === null ? '' : whereText(where);
  const [text, setText] = useState(said);
  useEffect(() => setText(said), [said]);
  const take = (typed: string): void => {
    const next = whereOf(typed);
    if (next) onWhere(next);
  };
  return (
    <form
      class="place-where"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        take(text);
      }}
    >
      <AddressField
        label="Address or coordinates"
        value={text}
        onInput={setText}
        onChoose={take}
        placeholder="1 Main St, or 43.05, -87.9"
      />
      <Button type="submit" kind="primary">
        Look
      </Button>
    </form>
  );
}

function NothingYet({ onPick }: { readonly onPick: (point: Point) => void }) {
  return (
    <>
      <EmptyState title="Where is it?">
        <p>Type an address, or pick the place on the map.</p>
      </EmptyState>
      <MapView
        label="Map of what is loaded"
        alternative="A place can be named by its address above as well."
        onPick={onPick}
      />
    </>
  );
}

const NO_MARKETS: readonly MarketExtent[] = [];
const NO_CRIME: ShownCrime = { incidents: [], radiusMi: null };

function PlaceAt({ where, onWhere }: { readonly where: Where; readonly onWhere: (where: Where) => void }) {
  const settings = useAnswer(readSettings, []);
  const flood = useAnswer((signal) => readFloodZone(where, signal), [where]);
  const [{ incidents, radiusMi }, setShown] = useState<ShownCrime>(NO_CRIME);
  const [selectedId, setSelected] = useState<string | null>(null);
  const found = flood.answer?.location_info ?? null;
  const markers = useMemo(() => markersOf(where, found, incidents), [where, found, incidents]);
  const circle = useMemo(() => {
    const point = found && pointOf(found);
    return point && radiusMi !== null ? { ...point, radiusMi } : null;
  }, [found, radiusMi]);
  if (flood.problem) return <PlaceProblem problem={flood.problem} onWhere={onWhere} onRetry={flood.reload} />;
  if (flood.answer === null) return <Waiting for={`Looking for ${whereText(where)}`} />;
  const names = loadNames(settings.answer?.markets ?? NO_MARKETS, flood.answer.location_info);
  return (
    <>
      <div class="place-top">
        <PlaceFound found={flood.answer.location_info} warnings={flood.answer.warnings} />
        <MapView
          label={incidents.length > 0 ? 'Map of the place and the incidents around it' : 'Map of the place'}
          alternative="The sections below say the same in words and tables."
          markers={markers}
          circle={circle}
          selectedId={selectedId}
          onPick={onWhere}
        />
      </div>
      <CensusSection where={where} found={flood.answer.location_info} names={names} />
      <div class="place-hazards">
        <FloodSection flood={flood.answer} names={names} />
        <FireSection where={where} names={names} />
      </div>
      <CrimeSection
        where={where}
        names={names}
        selectedId={selectedId}
        onSelect={setSelected}
        onShown={setShown}
      />
    </>
  );
}

function pointOf({ latitude, longitude }: PlaceInfo): Point | null {
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

function markersOf(where: Where, found: PlaceInfo | null, incidents: readonly Incident[]): MapMarker[] {
  const point = found && pointOf(found);
  const title = found?.formatted_address ?? whereText(where);
  return [
    ...(point ? [{ ...point, id: 'subject', kind: 'subject', title } as const] : []),
    ...incidents.map(
      (incident, i) =>
        ({
          id: incidentKey(incident, i),
          kind: 'incident',
          title: incident.offense_description ?? 'Incident',
          latitude: incident.lat,
          longitude: incident.lon,
        }) as const,
    ),
  ];
}
