import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { guessColumns } from './guess-columns.ts';
import { MEMBERS } from './members.ts';

const guessedNames = (kind: ValuationKind, header: string) => {
  const columns = header.split(',');
  return Object.fromEntries(
    Object.entries(guessColumns(MEMBERS[kind], columns)).map(([path, source]) => [
      path,
      'column' in source ? columns[source.column] : '',
    ]),
  );
};

test('columns are recognized by the names that people use', () => {
  assert.deepEqual(
    guessedNames(
      'property',
      'Loan Number,Street Address,City,State,ZIP Code,BR,Baths,Living Area (sq. ft.),Yr Built,Pool,Remarks',
    ),
    {
      property_id: 'Loan Number',
      'location.address': 'Street Address',
      'part.city': 'City',
      'part.state': 'State',
      'part.postal_code': 'ZIP Code',
      'property_fields.total_bedrooms': 'BR',
      'property_fields.total_bathrooms': 'Baths',
      'property_fields.living_area': 'Living Area (sq. ft.)',
      'property_fields.year_built': 'Yr Built',
      'property_fields.has_pool': 'Pool',
    },
  );
  assert.deepEqual(guessedNames('property', 'address,# Beds,No. of Baths,Num Stories'), {
    'location.address': 'address',
    'property_fields.total_bedrooms': '# Beds',
    'property_fields.total_bathrooms': 'No. of Baths',
    'property_fields.num_stories': 'Num Stories',
  });
  assert.equal(
    guessedNames('property', 'address,2022 Assessed Value')['file.assessed_value'],
    '2022 Assessed Value',
  );
  assert.ok(!('file.assessed_value' in guessedNames('property', 'address,2021 Assessment,2022 Assessment')));
  assert.deepEqual(guessedNames('rental', 'address,unit,bedrooms,bathrooms,sqft,units'), {
    'location.address': 'address',
    'part.unit': 'unit',
    'units.bedrooms': 'bedrooms',
    'units.bathrooms': 'bathrooms',
    'units.size': 'sqft',
    'property_fields.total_units': 'units',
  });
});
