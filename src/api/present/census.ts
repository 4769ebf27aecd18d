import type { Static } from 'typebox';
import type { CensusData } from '../../operations/places/census-data.ts';
import type { ServedVariable } from '../../places/census-values.ts';
import { presentLocation } from './address.ts';
import type * as wire from '../../schemas/census.ts';

type Entry = CensusData['entries'][number];

export function presentCensusData(data: CensusData): Static<typeof wire.CensusDataBody> {
  return {
    location_info: data.addressInfo && presentLocation(data.addressInfo),
    census_geoids: data.censusGeoids && { ...data.censusGeoids },
    acs_data: data.entries.map(presentEntry),
    warnings: data.warnings.map((warning) => ({ ...warning })),
  };
}

function presentEntry(entry: Entry): Static<typeof wire.CensusDataEntry> {
  return {
    year: entry.year,
    geography_level: entry.level,
    geoid: entry.geoid,
    name: entry.name,
    variables: Object.fromEntries(
      entry.variables.map((figure) => [figure.variable.key, presentFigure(figure)]),
    ),
  };
}

function presentFigure({ variable, cell }: Entry['variables'][number]): Static<typeof wire.CensusVariable> {
  return {
    category: variable.category,
    subcategory: variable.subcategory,
    value_type: variable.valueType,
    value: cell.value,
    base_variable: variable.baseVariable,
    margin_of_error: cell.marginOfError,
    null_reason: cell.nullReason,
    value_bound: cell.bound,
  };
}

export function presentCensusVariables(
  served: readonly ServedVariable[],
): Static<typeof wire.CensusVariablesBody> {
  return {
    variables: served.map(({ variable, years, levels }) => ({
      census_key: variable.key,
      category: variable.category,
      subcategory: variable.subcategory,
      value_type: variable.valueType,
      base_variable: variable.baseVariable,
      label: variable.label,
      years: [...years],
      geographies: [...levels],
    })),
  };
}
