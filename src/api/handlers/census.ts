import { censusAtPlace, censusOfAreas } from '../../operations/places/census-data.ts';
import {
  censusCreditsMax,
  listCensusVariables,
  unknownCensusNames,
} from '../../operations/places/census-variables.ts';
import type { CensusSelection } from '../../operations/places/census-figures.ts';
import { presentCensusData, presentCensusVariables } from '../present/census.ts';
import { censusAtPlaceRequest, censusOfAreasRequest } from '../request/census-request.ts';
import { shownInput, ValidationError, type FieldError } from '../request/validation-error.ts';
import type { ApiDeps, Handle } from '../route.ts';
import { answerCharged, readAsked } from './charged.ts';

/** Figures of the areas that hold a place, asked as a body or as a query. */
export const readCensusData: Handle = async (deps, request, reply) => {
  const asked = readAsked(deps, request, reply, censusAtPlaceRequest);
  await refuseUnknownNames(deps, asked, [request.method === 'POST' ? 'body' : 'query']);
  return answerCharged(deps, request, reply, asked, {
    operation: 'places:census',
    creditsMax: () => censusCreditsMax(deps.operations.places, new Set(asked.levels).size, asked),
    run: async () => {
      const data = await censusAtPlace(deps.operations, asked);
      return { credits: data.credits, body: presentCensusData(data) };
    },
  });
};

/** Figures of areas by their GEOIDs. */
export const readCensusByGeoid: Handle = async (deps, request, reply) => {
  const asked = readAsked(deps, request, reply, censusOfAreasRequest);
  await refuseUnknownNames(deps, asked, [request.method === 'POST' ? 'body' : 'query']);
  return answerCharged(deps, request, reply, asked, {
    operation: 'places:census',
    creditsMax: () => censusCreditsMax(deps.operations.places, new Set(asked.geoids).size, asked),
    run: async () => {
      const data = await censusOfAreas(deps.operations.places, asked);
      return { credits: data.credits, body: presentCensusData(data) };
    },
  });
};

/** Everything that can be asked for. */
export const readCensusVariables: Handle = async (deps) =>
  presentCensusVariables(await listCensusVariables(deps.operations.places));

/** Which keys and categories there are, only the loaded tables tell: a 422 like those of the schema. */
export async function refuseUnknownNames(
  deps: ApiDeps,
  asked: CensusSelection,
  from: readonly string[],
): Promise<void> {
  const unknown = await unknownCensusNames(deps.operations.places, asked);
  const errorsOf = (
    member: string,
    given: readonly string[] | null,
    names: readonly string[],
    type: string,
    msg: string,
  ): FieldError[] =>
    (given ?? []).flatMap((name, i) =>
      names.includes(name)
        ? [{ loc: [...from, member, i], msg, type, input: shownInput(name), ctx: {} }]
        : [],
    );
  const errors = [
    ...errorsOf(
      'census_keys',
      asked.keys,
      unknown.keys,
      'unknown_census_key',
      'is not a census key that is known; GET /v1/census-data/variables lists what is loaded',
    ),
    ...errorsOf(
      'categories',
      asked.categories,
      unknown.categories,
      'unknown_category',
      'is not a category that is known; GET /v1/census-data/variables lists what is loaded',
    ),
  ];
  if (errors.length > 0) throw new ValidationError(errors);
}
