import { useLocation } from 'preact-iso/router';
import { useMemo, useState } from 'preact/hooks';
import { readSettings, type MarketExtent } from '../../api/account.ts';
import { readFloodZone, type FloodZone, type Incident, type PlaceInfo } from '../../api/places.ts';
import { useRequest } from '../../api/use-request.ts';
import { Notice, ProblemNotice, Waiting } from '../../parts/basics.tsx';
import { UNKNOWN } from '../../parts/format.ts';
import { AddressForm } from '../../parts/map/address-form.tsx';
import { AddressNotFound } from '../../parts/map/address-not-found.tsx';
import type { MapMarker, Point } from '../../parts/map/map-content.ts';
import { MapView } from '../../parts/map/map-view.tsx';
import { readLocation, locationText, writeLocation, type Place } from '../../parts/map/location.ts';
import { Figures, Page } from '../../parts/page.tsx';
import { CensusSection } from './census-section.tsx';
import { CrimeSection, type ShownCrime } from './crime-section.tsx';
import { incidentKey } from './crime-words.ts';
import { FireSection, FloodSection } from './hazard-sections.tsx';
import { loadNames } from './load-commands.ts';
import { usePlaceLayer } from './use-place-layer.tsx';
import './place.css';

/** Census, crime, wildfire and flood at a location. The page's URL names the location. */
export default function PlacePage() {
  const { query, path, route } = useLocation();
  const location = readLocation(query);
  const written = location === null ? '' : writeLocation(location);
  const where = useMemo(() => readLocation(Object.fromEntries(new URLSearchParams(written))), [written]);
  const go = (next: Place): void => route(`${path}?${writeLocation(next)}`);
  return (
    <Page
      title="Place"
      lead="Census, crime, wildfire and flood data at an address or any point, from the data loaded here."
      isWide
    >
      <AddressForm where={where} action="Search" onWhere={go} />
      {where === null ? (
        <>
          <p class="quiet">Enter an address, or click a location on the map.</p>
          <MapView label="Map of the loaded data" alternative="You can also enter an address." onPick={go} />
        </>
      ) : (
        <PlaceAt key={written} where={where} onWhere={go} />
      )}
    </Page>
  );
}

const NO_MARKETS: readonly MarketExtent[] = [];
const NO_CRIME: ShownCrime = { incidents: [], radiusMi: null };

function PlaceAt({ where, onWhere }: { readonly where: Place; readonly onWhere: (where: Place) => void }) {
  const settings = useRequest(readSettings, []);
  const flood = useRequest((signal) => readFloodZone(where, signal), [where]);
  const [{ incidents, radiusMi }, setShown] = useState<ShownCrime>(NO_CRIME);
  const [selectedId, setSelected] = useState<string | null>(null);
  const found = flood.data?.location_info ?? null;
  const markers = useMemo(() => markersOf(where, found, incidents), [where, found, incidents]);
  const circle = useMemo(() => {
    const point = found && pointOf(found);
    return point && radiusMi !== null ? { ...point, radiusMi } : null;
  }, [found, radiusMi]);
  const subject = useMemo(() => markers.filter(({ kind }) => kind === 'subject'), [markers]);
  const at = useMemo(() => found && pointOf(found), [found]);
  const layer = usePlaceLayer(at, onWhere);
  if (flood.problem?.code === 'address_not_found')
    return <AddressNotFound problem={flood.problem} onWhere={onWhere} />;
  if (flood.problem) return <ProblemNotice problem={flood.problem} onRetry={flood.reload} />;
  if (flood.data === null) return <Waiting for={`Locating ${locationText(where)}`} />;
  const names = loadNames(settings.data?.markets ?? NO_MARKETS, flood.data.location_info);
  return (
    <>
      <div class="place-top">
        <PlaceFound zone={flood.data} />
        <div class="stack">
          <MapView
            label={
              layer.name !== null
                ? `Map of the location and ${layer.name}`
                : incidents.length > 0
                  ? 'Map of the location and incidents around it'
                  : 'Map of the location'
            }
            alternative="The sections below show the same in words and tables."
            markers={layer.name === null ? markers : subject}
            circle={circle}
            areas={layer.areas}
            selectedId={layer.selectedId ?? selectedId}
            onSelect={layer.onSelect}
            onPick={layer.onPick}
            picks={layer.name === null ? 'location' : 'area'}
            card={layer.card}
          />
          {layer.controls}
        </div>
      </div>
      <CensusSection where={where} found={flood.data.location_info} names={names} />
      <div class="place-hazards">
        <FloodSection flood={flood.data} names={names} />
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

const MATCH_TYPES: Readonly<Record<PlaceInfo['match_level'], string>> = {
  point: 'Coordinates',
  address: 'Loaded address',
  interpolated: 'Interpolated between house numbers',
  street: 'Street',
  postal_code: 'ZIP code',
  city: 'City',
};

/** The located place, and how exactly it was located. */
function PlaceFound({ zone }: { readonly zone: FloodZone }) {
  const { location_info: found, warnings } = zone;
  const { county, state, postal_code, latitude, longitude, geohash8, match_level } = found;
  return (
    <div class="place-found">
      <h2>{found.formatted_address ?? 'Point without an address'}</h2>
      <Figures
        look="place-facts"
        figures={[
          { label: 'County', value: [county, state].filter(Boolean).join(', ') || UNKNOWN },
          { label: 'ZIP code', value: postal_code || UNKNOWN },
          { label: 'Coordinates', value: `${latitude?.toFixed(5)}, ${longitude?.toFixed(5)}` },
          { label: 'Geohash', value: <code>{geohash8}</code> },
          { label: 'Match type', value: MATCH_TYPES[match_level] },
        ]}
      />
      {warnings.length > 0 && (
        <Notice kind="warn" title="Note">
          {warnings.map(({ code, message }) => (
            <p key={code}>{message}</p>
          ))}
        </Notice>
      )}
    </div>
  );
}

function pointOf({ latitude, longitude }: PlaceInfo): Point | null {
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

function markersOf(where: Place, found: PlaceInfo | null, incidents: readonly Incident[]): MapMarker[] {
  const point = found && pointOf(found);
  const title = found?.formatted_address ?? locationText(where);
  return [
    ...(point ? [{ ...point, id: 'subject', kind: 'subject', title } as const] : []),
    ...incidents.map((incident, i): MapMarker => ({
      id: incidentKey(incident, i),
      kind: 'incident',
      title: incident.offense_description ?? 'Incident',
      latitude: incident.lat,
      longitude: incident.lon,
    })),
  ];
}
