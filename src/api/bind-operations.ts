import { findKeptBacktest } from '../jobs/market-studies.ts';
import { listMarketWork } from '../jobs/market-work.ts';
import { studyModel } from '../operations/market/study-model.ts';
import { censusAtPlace, censusOfAreas } from '../operations/places/census-data.ts';
import {
  censusCreditsMax,
  listCensusVariables,
  unknownCensusNames,
} from '../operations/places/census-variables.ts';
import { completeAddress } from '../operations/complete-address.ts';
import { censusHere } from '../operations/places/census-here.ts';
import { comprehensive, comprehensiveCreditsMax } from '../operations/comprehensive.ts';
import { listCoverage } from '../operations/coverage.ts';
import { crimeData, crimeDataCreditsMax } from '../operations/places/crime-data.ts';
import type { OperationDeps } from '../operations/deps.ts';
import { openMapTiles } from '../operations/map/map-tiles.ts';
import { fireRisk } from '../operations/places/fire-risk.ts';
import { floodZone } from '../operations/places/flood-zone.ts';
import { hazardCreditsMax } from '../operations/places/hazard-request.ts';
import { readValuation, replayValuation } from '../operations/valuation/replay-valuation.ts';
import { multifamilyCreditsMax, valueMultifamily } from '../operations/multifamily/value-multifamily.ts';
import { describeHome } from '../operations/property/describe-home.ts';
import { propertyMissingDetails } from '../operations/property/property-missing-details.ts';
import { propertyCreditsMax, valueProperty } from '../operations/property/value-property.ts';
import { rentalCreditsMax, valueRental } from '../operations/rental/value-rental.ts';
import { listVersions } from '../store/dataset-versions.ts';
import { listMarkets } from '../store/markets.ts';
import type { Operations } from './deps.ts';

/** Versions of a market's data that are told of: those in force, and a month of nightly imports of three kinds. */
const VERSIONS_TOLD = 100;

/** The operations that routes call, holding their deps. */
export function bindOperations(deps: OperationDeps): Operations {
  return {
    propertyCreditsMax,
    valueProperty: (request, caller) => valueProperty(deps, request, caller),
    propertyMissingDetails: (id, caller) => propertyMissingDetails(deps, id, caller),
    describeHome: (request) => describeHome(deps, request),
    rentalCreditsMax,
    valueRental: (request, caller) => valueRental(deps, request, caller),
    multifamilyCreditsMax,
    valueMultifamily: (request, caller) => valueMultifamily(deps, request, caller),
    readValuation: (id, caller) => readValuation(deps, id, caller),
    replayValuation: (id, caller) => replayValuation(deps, id, caller),
    censusAtPlace: (request) => censusAtPlace(deps, request),
    censusOfAreas: (request) => censusOfAreas(deps.places, request),
    censusCreditsMax: (areas, selection) => censusCreditsMax(deps.places, areas, selection),
    listCensusVariables: () => listCensusVariables(deps.places),
    unknownCensusNames: (selection) => unknownCensusNames(deps.places, selection),
    crimeDataCreditsMax,
    crimeData: (request) => crimeData(deps, request),
    fireRisk: (request) => fireRisk(deps, request),
    floodZone: (request) => floodZone(deps, request),
    hazardCreditsMax,
    comprehensive: (request, caller) => comprehensive(deps, request, caller),
    comprehensiveCreditsMax: (request) => comprehensiveCreditsMax(deps, request),
    completeAddress: (text, most) => completeAddress(deps, text, most),
    censusHere: (lat, lon) => censusHere(deps.places, lat, lon),
    mapTiles: openMapTiles(deps.places),
    listMarkets: () => deps.markets.list(),
    listCoverage: () => listCoverage(deps),
    listMarketIds: async () => (await listMarkets(deps.store)).map(({ marketId }) => marketId),
    listMarketWork: () => listMarketWork(deps.store),
    listVersions: (marketId) => listVersions(deps.store, marketId, VERSIONS_TOLD),
    studyModel: (modelId) => studyModel(deps, modelId),
    findKeptBacktest: (marketId, kind) => findKeptBacktest(deps.store, marketId, kind),
  };
}
