import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameAreas, type LocalNames } from './local-names.ts';

type Sale = readonly [neighborhood: string, postalCode: string, street: string];

function named(areas: readonly (readonly Sale[])[]): (string | null)[] {
  const sales = areas.flat();
  const rowsOf = new Map(areas.map((own, area) => [area, own.map((sale) => sales.indexOf(sale))]));
  const names: LocalNames = {
    neighborhoodOf: (row) => sales[row][0],
    postalCodeOf: (row) => sales[row][1],
    streetOf: (row) => sales[row][2],
  };
  const found = nameAreas(rowsOf, names);
  return areas.map((_, area) => found.get(area) ?? null);
}

const sale = (neighborhood: string, postalCode = '', street = ''): Sale => [neighborhood, postalCode, street];

test('an area is named by its neighborhoods, else by its ZIP codes, else by its streets, else not at all', () => {
  assert.deepEqual(
    named([
      [sale('North_Ames', '50010', '1 Oak St'), sale('North_Ames'), sale('')],
      [sale('6982', '53202-1234', '1 Oak St'), sale('6982', '53202'), sale('6982', '53211')],
      [sale('', '', '1 W 5th St'), sale('', '', '12-14 W 5th St #3'), sale('', '', '2 1/2 W 5th St, 501')],
      [sale(''), sale('')],
    ]),
    ['North Ames', 'ZIP 53202 and 53211', 'around W 5th St', null],
  );
});

test('a street that runs through many areas names none of them', () => {
  const on = (street: string, ...numbers: number[]): Sale[] =>
    numbers.map((number) => sale('', '', `${number} ${street}`));
  assert.deepEqual(
    named([
      [...on('Main St', 1, 2, 3, 4), ...on('Elm Ave', 1, 2, 3), ...on('Ash Ct', 1, 2)],
      [...on('Main St', 5, 6, 7, 8), ...on('Lake Dr', 1, 2, 3)],
      [...on('Main St', 9, 10, 11, 12), ...on('Hill Rd', 1, 2, 3)],
    ]),
    ['around Elm Ave and Ash Ct', 'around Lake Dr', 'around Hill Rd'],
  );
});
