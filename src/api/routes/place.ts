import { readCensusByGeoid, readCensusData, readCensusVariables } from '../handlers/census.ts';
import { readCrimeData } from '../handlers/crime.ts';
import { readComprehensive } from '../handlers/comprehensive.ts';
import { readFireRisk, readFloodZone } from '../handlers/hazards.ts';
import {
  CensusByGeoidRequestBody,
  CensusDataBody,
  CensusDataRequestBody,
  CensusVariablesBody,
} from '../../schemas/census.ts';
import { ComprehensiveBody, ComprehensiveRequestBody } from '../../schemas/comprehensive.ts';
import { CrimeDataBody, CrimeDataRequestBody } from '../../schemas/crime.ts';
import { FireRiskBody, FloodZoneBody, HazardRequestBody } from '../../schemas/hazards.ts';
import type { Route } from '../route.ts';
import { FREE, UNLOCATED } from './terms.ts';

const PER_CENSUS_FIGURE = '1 per key, area and year';
const PER_CRIME_SEARCH = '10, and 1 per 100 records';
const PER_HAZARD = '10';

/** What is known of a place. */
export const PLACE_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/census-data',
    operationId: 'readCensusData',
    access: 'places:census',
    credits: PER_CENSUS_FIGURE,
    tag: 'Place',
    summary: 'Census figures of the areas that hold a place',
    description:
      'Five-year estimates of the American Community Survey with their margins of error. Years to 2019 are of the areas of the 2010 census, later ones of 2020. Medians are as published, never averaged.',
    body: CensusDataRequestBody,
    answer: CensusDataBody,
    problems: ['address_not_found', 'bad_request'],
    handle: readCensusData,
  },
  {
    method: 'GET',
    path: '/v1/census-data',
    operationId: 'readCensusDataByQuery',
    access: 'places:census',
    credits: PER_CENSUS_FIGURE,
    tag: 'Place',
    summary: 'Census figures of a place, asked as a query',
    description:
      'Answers exactly as the POST with the same members would. Lists are repeated or separated by commas.',
    query: CensusDataRequestBody,
    answer: CensusDataBody,
    problems: ['address_not_found', 'bad_request'],
    handle: readCensusData,
  },
  {
    method: 'POST',
    path: '/v1/census-data/by-geoid',
    operationId: 'readCensusByGeoid',
    access: 'places:census',
    credits: PER_CENSUS_FIGURE,
    tag: 'Place',
    summary: 'Census figures of areas by their GEOIDs',
    description: 'The level is told by the length of each GEOID. `location_info` is null.',
    body: CensusByGeoidRequestBody,
    answer: CensusDataBody,
    problems: ['bad_request'],
    handle: readCensusByGeoid,
  },
  {
    ...FREE,
    method: 'GET',
    path: '/v1/census-data/variables',
    operationId: 'listCensusVariables',
    access: 'places:census',
    tag: 'Place',
    summary: 'Census variables that are loaded',
    answer: CensusVariablesBody,
    handle: readCensusVariables,
  },
  {
    method: 'POST',
    path: '/v1/crime-data',
    operationId: 'readCrimeData',
    access: 'places:crime',
    credits: PER_CRIME_SEARCH,
    tag: 'Place',
    summary: 'What happened around a place',
    description:
      'Incidents within a radius, newest first, each under its most severe offence. Where `meta.coverage.agencies` is empty there is no data, which is not "no crime".',
    body: CrimeDataRequestBody,
    answer: CrimeDataBody,
    problems: ['address_not_found', 'invalid_cursor'],
    handle: readCrimeData,
  },
  {
    method: 'GET',
    path: '/v1/crime-data',
    operationId: 'readCrimeDataByQuery',
    access: 'places:crime',
    credits: PER_CRIME_SEARCH,
    tag: 'Place',
    summary: 'What happened around a place, asked as a query',
    description:
      'Answers exactly as the POST with the same members would. Categories are repeated or separated by commas; write those that have a comma with underscores.',
    query: CrimeDataRequestBody,
    answer: CrimeDataBody,
    problems: ['address_not_found', 'invalid_cursor'],
    handle: readCrimeData,
  },
  {
    method: 'POST',
    path: '/v1/fire-risk',
    operationId: 'readFireRisk',
    access: 'places:fire',
    credits: PER_HAZARD,
    tag: 'Place',
    summary: 'How likely a place is to burn',
    description:
      'Annual burn probability of the map cell that holds the place, with level and category. Without data `has_fire_risk` is false, which is not "no risk".',
    body: HazardRequestBody,
    answer: FireRiskBody,
    problems: ['address_not_found'],
    handle: readFireRisk,
  },
  {
    method: 'GET',
    path: '/v1/fire-risk',
    operationId: 'readFireRiskByQuery',
    access: 'places:fire',
    credits: PER_HAZARD,
    tag: 'Place',
    summary: 'How likely a place is to burn, asked as a query',
    description: 'Answers exactly as the POST with the same members would.',
    query: HazardRequestBody,
    answer: FireRiskBody,
    problems: ['address_not_found'],
    handle: readFireRisk,
  },
  {
    method: 'POST',
    path: '/v1/flood-zone',
    operationId: 'readFloodZone',
    access: 'places:flood',
    credits: PER_HAZARD,
    tag: 'Place',
    summary: 'The flood zone of a place',
    description:
      'The area of the highest hazard that holds the place. Outside the map every member is null, which is not "low risk".',
    body: HazardRequestBody,
    answer: FloodZoneBody,
    problems: ['address_not_found'],
    handle: readFloodZone,
  },
  {
    method: 'GET',
    path: '/v1/flood-zone',
    operationId: 'readFloodZoneByQuery',
    access: 'places:flood',
    credits: PER_HAZARD,
    tag: 'Place',
    summary: 'The flood zone of a place, asked as a query',
    description: 'Answers exactly as the POST with the same members would.',
    query: HazardRequestBody,
    answer: FloodZoneBody,
    problems: ['address_not_found'],
    handle: readFloodZone,
  },
  {
    method: 'POST',
    path: '/v1/comprehensive',
    operationId: 'readComprehensive',
    access: 'comprehensive',
    credits: 'the sum of its sections',
    tag: 'Place',
    summary: 'Everything about one place',
    description:
      'The value of the home and what is known of the place, from one location. Sections that fail are null, with their reason in `errors`; the others answer and are charged.',
    body: ComprehensiveRequestBody,
    answer: ComprehensiveBody,
    problems: UNLOCATED,
    handle: readComprehensive,
  },
];
