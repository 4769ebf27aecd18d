import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProtectedColumn } from './protected-columns.ts';

const OF_PEOPLE =
  'race Race racial_makeup ethnicity Hispanic pct_white percentBlack share_asian white_pct color skin_color owner_colour religion ' +
  'sex buyer_sex gender national_origin NationalOrigin nationality ancestry country_of_birth foreign_born language ' +
  'language_spoken age owner_age age_of_owner median_age MEDIAN_AGE avgAge mean_age pct_over_65 over65 under_18 65_plus elderly ' +
  'disability is_disabled handicapped marital_status married family_status familial_status family_size children ' +
  'households_with_children income household_income MedianIncome median_household_income per_capita_income poverty_rate';

const OF_BUILDINGS =
  'year_built building_age age_of_building roof_age effective_age exterior_color roof_color style grade view garage_area ' +
  'single_family multi_family acreage frontage_feet storage Middlesex white_oak_floor rental_income gross_income landmark ' +
  'trace_elements parking_spaces sqft_over_garage';

test('columns that describe people are recognized by name in the usual spellings', () => {
  for (const name of OF_PEOPLE.split(' ')) assert.ok(isProtectedColumn(name), name);
});

test('the age, color and income of a building, and names that only look alike, are not protected', () => {
  for (const name of OF_BUILDINGS.split(' ')) assert.ok(!isProtectedColumn(name), name);
});
