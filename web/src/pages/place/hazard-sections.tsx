import { readFireRisk, type FloodZone } from '../../api/places.ts';
import { useRequest } from '../../api/use-request.ts';
import { WhenLoaded, EmptyState } from '../../parts/basics.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { formatChance, formatCount, UNKNOWN } from '../../parts/format.ts';
import type { Place } from '../../parts/map/location.ts';
import { Figures, Section } from '../../parts/page.tsx';
import { fireCommand, floodCommand, type LoadNames } from './load-commands.ts';

/** The flood zone. A location outside of all maps is reported as unknown, not as low risk. */
export function FloodSection({ flood, names }: { readonly flood: FloodZone; readonly names: LoadNames }) {
  const zone = flood.fema_flood_zone;
  const isInZone = zone.sfha === null ? UNKNOWN : zone.sfha ? 'Yes' : 'No';
  return (
    <Section title="Flood" lead="The zone of the highest hazard at this location on FEMA’s flood map.">
      {zone.fld_zone === null && zone.user_label === null ? (
        <EmptyState title="No flood map covers this location.">
          <p>
            This does not mean “no risk”: the data is missing. Load the county’s National Flood Hazard Layer:
          </p>
          <CodeBlock text={floodCommand(names)} what="the command for a flood map" />
        </EmptyState>
      ) : (
        <>
          <Figures
            figures={[
              { label: 'Zone', value: zone.fld_zone ?? UNKNOWN, note: zone.zone_subty },
              { label: 'Annual chance of a flood', value: formatChance(zone.annual_risk) ?? UNKNOWN },
              { label: 'Special flood hazard area', value: isInZone },
            ]}
          />
          <p>{zone.user_label}</p>
          {zone.static_bfe !== null && (
            <p class="small quiet">
              Base flood elevation {formatCount(zone.static_bfe)} {zone.len_unit?.toLowerCase()} above{' '}
              {zone.v_datum}.
            </p>
          )}
          <p class="small quiet">
            {[
              zone.study_typ,
              zone.source_cit && `source ${zone.source_cit}`,
              zone.version_id && `version ${zone.version_id}`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </>
      )}
    </Section>
  );
}

/** The annual burn probability of the location. */
export function FireSection({ where, names }: { readonly where: Place; readonly names: LoadNames }) {
  const fire = useRequest((signal) => readFireRisk(where, signal), [where]);
  return (
    <Section
      title="Wildfire"
      lead="The chance that the map’s cell burns in a year. It is not the chance that a house is lost."
    >
      <WhenLoaded of={fire} waiting="Loading the burn probability">
        {({ fire_risk: risk }) =>
          risk.has_fire_risk ? (
            <>
              <Figures
                figures={[
                  {
                    label: 'Risk',
                    value: risk.risk_category_display,
                    note: `level ${risk.risk_level} of 11`,
                  },
                  { label: 'Chance in a year', value: formatChance(risk.annual_chance) ?? 'None on the map' },
                ]}
              />
              <p>{risk.description}</p>
              <p class="small quiet">{risk.data_source}</p>
            </>
          ) : (
            <EmptyState title="No wildfire map covers this location.">
              <p>
                This does not mean “no risk”: the data is missing. Load the Forest Service’s burn probability
                of the state:
              </p>
              <CodeBlock text={fireCommand(names)} what="the command for a fire map" />
            </EmptyState>
          )
        }
      </WhenLoaded>
    </Section>
  );
}
