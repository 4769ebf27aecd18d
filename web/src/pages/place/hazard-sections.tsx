import { readFireRisk, type FireRisk, type FloodZone } from '../../api/places.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Answered } from '../../parts/answered.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { formatCount, UNKNOWN } from '../../parts/format.ts';
import type { Where } from '../../parts/map/where.ts';
import { EmptyState } from '../../parts/notice.tsx';
import { Figures, Section } from '../../parts/page.tsx';
import { fireCommand, floodCommand, type LoadNames } from './load-commands.ts';

/** The flood zone of the place. Outside the map is another answer than low risk, and said so. */
export function FloodSection({ flood, names }: { readonly flood: FloodZone; readonly names: LoadNames }) {
  const zone = flood.fema_flood_zone;
  return (
    <Section title="Flood" lead="The area of the highest hazard that holds the place, on FEMA’s flood map.">
      {zone.fld_zone === null && zone.user_label === null ? (
        <EmptyState title="No flood map covers this place.">
          <p>That is not “no risk”: nothing is known. Load the county’s National Flood Hazard Layer:</p>
          <CodeBlock text={floodCommand(names)} what="the command for a flood map" />
        </EmptyState>
      ) : (
        <>
          <Figures
            figures={[
              { label: 'Zone', value: zone.fld_zone ?? UNKNOWN, note: zone.zone_subty },
              { label: 'Annual chance of a flood', value: zone.annual_risk ?? UNKNOWN },
              {
                label: 'Special flood hazard area',
                value: zone.sfha === null ? UNKNOWN : zone.sfha ? 'Yes' : 'No',
              },
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
            {[zone.study_typ, zone.source_cit, zone.version_id].filter(Boolean).join(' · ')}
          </p>
        </>
      )}
    </Section>
  );
}

/** How likely the place is to burn, where a map tells. */
export function FireSection({ where, names }: { readonly where: Where; readonly names: LoadNames }) {
  const fire = useAnswer((signal) => readFireRisk(where, signal), [where]);
  return (
    <Section
      title="Wildfire"
      lead="How likely the map’s cell is to burn in a year: not that a house is lost."
    >
      <Answered asked={fire} waiting="Reading the burn probability">
        {({ fire_risk }) => <FireFigures risk={fire_risk} names={names} />}
      </Answered>
    </Section>
  );
}

function FireFigures(props: { readonly risk: FireRisk['fire_risk']; readonly names: LoadNames }) {
  const { risk, names } = props;
  if (!risk.has_fire_risk) {
    return (
      <EmptyState title="No fire map has data for this place.">
        <p>
          That is not “no risk”: nothing is known. Load the Forest Service’s burn probability of the state:
        </p>
        <CodeBlock text={fireCommand(names)} what="the command for a fire map" />
      </EmptyState>
    );
  }
  return (
    <>
      <Figures
        figures={[
          { label: 'Risk', value: risk.risk_category_display, note: `level ${risk.risk_level} of 11` },
          { label: 'Chance in a year', value: risk.annual_chance ?? 'none on the map' },
        ]}
      />
      <p>{risk.description}</p>
      <p class="small quiet">{risk.data_source}</p>
    </>
  );
}
