import { useMemo, useState } from 'preact/hooks';
import {
  CENSUS_LEVELS,
  readCensus,
  readCensusHere,
  readCensusVariables,
  type CensusData,
  type CensusVariables,
  type PlaceInfo,
} from '../../api/places.ts';
import { useRequest } from '../../api/use-request.ts';
import { WhenLoaded, EmptyState } from '../../parts/basics.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { SelectField } from '../../parts/field.tsx';
import { UNKNOWN } from '../../parts/format.ts';
import type { Place } from '../../parts/map/location.ts';
import { Section } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import {
  areaHead,
  categoriesOf,
  categoryName,
  censusRows,
  figureNames,
  figureText,
  LEVEL_NAMES,
  mainKeysOf,
  marginText,
  type CensusRow,
} from './census-words.ts';
import { censusCommands, type LoadNames } from './load-commands.ts';

/** The choice of the main figures; other choices are categories. */
const MAIN = '';

/** Census figures of the areas that contain the location, with their margins of error. */
export function CensusSection(props: {
  readonly where: Place;
  readonly found: PlaceInfo;
  readonly names: LoadNames;
}) {
  const { where, found, names } = props;
  const known = useRequest(readCensusVariables, []);
  const { latitude, longitude } = found;
  const here = useRequest(
    async (signal) =>
      latitude === null || longitude === null ? null : readCensusHere({ latitude, longitude }, signal),
    [latitude, longitude],
  );
  return (
    <Section
      title="Census"
      lead="Five-year estimates of the American Community Survey with their 90% margins of error. Smaller areas have wider margins."
    >
      <WhenLoaded of={known} waiting="Loading the list of figures">
        {(variables) =>
          variables.variables.length === 0 ? (
            <EmptyState title="No census figures are loaded.">
              <p>
                Load the areas first, then their figures, from the Census API or from tables exported at
                data.census.gov.
              </p>
              <CodeBlock
                text={censusCommands(names, here.data?.county ?? null)}
                what="the commands for the census"
              />
            </EmptyState>
          ) : (
            <Figures where={where} known={variables} years={here.data?.years ?? []} />
          )
        }
      </WhenLoaded>
    </Section>
  );
}

function Figures(props: {
  readonly where: Place;
  readonly known: CensusVariables;
  /** Years with data at this location. */
  readonly years: readonly number[];
}) {
  const { where, known, years } = props;
  const [category, setCategory] = useState(MAIN);
  const [year, setYear] = useState<number | null>(null);
  const main = useMemo(() => mainKeysOf(known), [known]);
  const categories = categoriesOf(known);
  const chosen = category === MAIN && main.length === 0 ? (categories[0] ?? MAIN) : category;
  const keys = chosen === MAIN ? main : null;
  const choice = keys === null ? { categories: [chosen] } : { census_keys: keys };
  const data = useRequest((signal) => readCensus(where, choice, year, signal), [where, chosen, year]);
  return (
    <>
      <div class="row filters">
        <SelectField
          label="Figures"
          value={chosen}
          choices={[
            ...(main.length > 0 ? [{ value: MAIN, label: 'Main figures' }] : []),
            ...categories.map((one) => ({ value: one, label: categoryName(one) })),
          ]}
          onInput={setCategory}
        />
        <SelectField
          label="Years"
          value={year === null ? '' : String(year)}
          choices={[
            { value: '', label: 'Newest per area' },
            ...years.map((one) => ({ value: String(one), label: `${one - 4}–${one}` })),
          ]}
          onInput={(text) => setYear(text === '' ? null : Number(text))}
        />
      </div>
      <WhenLoaded of={data} waiting="Loading census figures">
        {(response) => <FigureTable data={response} keys={keys} known={known} />}
      </WhenLoaded>
    </>
  );
}

function FigureTable(props: {
  readonly data: CensusData;
  readonly keys: readonly string[] | null;
  readonly known: CensusVariables;
}) {
  const { data, keys, known } = props;
  const entries = data.acs_data.toSorted(
    (a, b) => CENSUS_LEVELS.indexOf(a.geography_level) - CENSUS_LEVELS.indexOf(b.geography_level),
  );
  if (entries.length === 0) return <NoFiguresHere geoids={data.census_geoids} />;
  const columns = entries.map((entry): Column<CensusRow> => ({
    name: entry.geoid,
    label: areaHead(entry),
    note: entry.geoid,
    isNumber: true,
    cell: ({ at }) => {
      const figure = at.get(entry.geoid);
      if (!figure) return UNKNOWN;
      return (
        <>
          {figureText(figure)}
          <span class="quiet small second-line">{marginText(figure)}</span>
        </>
      );
    },
  }));
  const areas = entries.map(
    ({ geography_level, geoid, name, year }) =>
      `${LEVEL_NAMES[geography_level]} ${geoid}: ${name}, ${year - 4}–${year}`,
  );
  return (
    <>
      <Table
        caption="Census figures of the areas that contain the location"
        columns={[{ label: 'Figure', cell: ({ name }) => name, isRowHeader: true }, ...columns]}
        rows={censusRows(entries, keys, figureNames(known))}
        keyOf={({ key }) => key}
      />
      <p class="small quiet">{areas.join(' · ')}</p>
    </>
  );
}

function NoFiguresHere({ geoids }: { readonly geoids: CensusData['census_geoids'] }) {
  // State and county are known without any census areas.
  const { tract_fips: tract = null, state_fips: state, county_fips: county } = geoids ?? {};
  return (
    <EmptyState title="No figures of this selection are loaded for this location.">
      <p>
        {tract !== null
          ? `The location is in census tract ${tract} of county ${state}${county} (FIPS codes). Choose other figures or years, or load the figures of these areas.`
          : 'No census areas are loaded for this location. Load the areas of its state, then their figures.'}
      </p>
    </EmptyState>
  );
}
