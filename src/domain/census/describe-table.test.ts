import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACS_TABLES } from './acs-tables.ts';
import { BUILT_IN_VARIABLES, describeTable } from './describe-table.ts';
import { parseVariableKey, variableKeyText } from './variable-key.ts';

test('every built-in key can be read back, and names its table', () => {
  assert.ok(BUILT_IN_VARIABLES.size > 1000);
  for (const [key, { tableId, suffix, shareOf }] of BUILT_IN_VARIABLES) {
    const parsed = parseVariableKey(key);
    assert.deepEqual(parsed, { tableId, suffix, isShare: shareOf !== null });
    assert.equal(parsed && variableKeyText(parsed), key);
  }
});

test('only counts have shares, each of the universe of its table; medians never', () => {
  for (const [key, variable] of BUILT_IN_VARIABLES) {
    const { title, measure, baseSuffix } = ACS_TABLES.get(variable.tableId) ?? assert.fail(key);
    if (variable.shareOf === null) continue;
    assert.equal(measure, 'count', key);
    assert.equal(variable.valueType, 'percentage', key);
    assert.equal(variable.baseVariable, `${variable.tableId}_${baseSuffix}`, key);
    assert.doesNotMatch(
      `${title} ${variable.label}`,
      /^(median|mean|aggregate|per capita|average|gini)\b/i,
      key,
    );
  }
  assert.equal(BUILT_IN_VARIABLES.has('B19013_001E_pct'), false);
  assert.equal(BUILT_IN_VARIABLES.has('B25003_001E_pct'), false);
});

test('built-in variables match their titles', () => {
  const seen = (key: string): unknown[] => {
    const found = BUILT_IN_VARIABLES.get(key);
    return found
      ? [found.category, found.subcategory, found.valueType, found.baseVariable, found.label]
      : assert.fail(key);
  };
  assert.deepEqual(seen('B19013_001E').slice(0, 4), ['income', 'median_household_income', 'currency', null]);
  assert.deepEqual(seen('B25003_002E_pct'), [
    'housing',
    'tenure',
    'percentage',
    'B25003_001E',
    'Total / Owner occupied',
  ]);
  assert.deepEqual(seen('B25031_003E').slice(2), ['currency', null, 'Median gross rent / Total / 1 bedroom']);
  assert.deepEqual(seen('B25071_001E').slice(2, 4), ['percentage', null]);
  assert.deepEqual(seen('B25035_001E').slice(2, 4), ['total', null]);
  assert.deepEqual(seen('B01001_003E').slice(3), [null, 'Total / Male / Under 5 years']);
});

test('tables without built-in labels are described by the labels of their files', () => {
  const labels = { '001E': 'Total', '002E': 'Total!!Naval', '003E': 'Total!!Other' };
  const [total, naval, share] = describeTable({ tableId: 'B21900', suffixes: ['001E', '002E'], labels });
  assert.deepEqual([total.category, total.baseVariable, total.valueType], ['veteran_status', null, 'total']);
  assert.deepEqual(
    [naval.key, share.key, share.baseVariable],
    ['B21900_002E', 'B21900_002E_pct', 'B21900_001E'],
  );
  const [median] = describeTable({
    tableId: 'B20900',
    suffixes: ['001E'],
    labels: { '001E': 'Median earnings (dollars)!!Total' },
  });
  assert.equal(median.valueType, 'currency');
});

test('profiles and subject tables: bases of percentages, and dollars only for lines in dollars', () => {
  const section = 'INCOME AND BENEFITS (IN 2021 INFLATION-ADJUSTED DOLLARS)';
  const profile = describeTable({
    tableId: 'DP03',
    suffixes: ['0051E', '0052E', '0052PE', '0062E'],
    labels: {
      '0051E': `${section}!!Total households`,
      '0052E': `${section}!!Total households!!Less than $10,000`,
      '0052PE': `${section}!!Total households!!Less than $10,000`,
      '0062E': `${section}!!Total households!!Median household income (dollars)`,
    },
  });
  assert.deepEqual(
    profile.map(({ key, valueType, baseVariable }) => [key, valueType, baseVariable]),
    [
      ['DP03_0051E', 'total', null],
      ['DP03_0052E', 'total', null],
      ['DP03_0052PE', 'percentage', 'DP03_0051E'],
      ['DP03_0062E', 'currency', null],
    ],
  );
  assert.deepEqual([profile[0].category, profile[0].subcategory], ['economic', 'income_and_benefits']);
  const [, percent] = describeTable({
    tableId: 'S1701',
    suffixes: ['C01_002E', 'C03_002E'],
    labels: { C01_002E: 'Total!!Under 18', C03_002E: 'Percent below poverty level!!Under 18' },
  });
  assert.deepEqual([percent.valueType, percent.baseVariable], ['percentage', 'S1701_C01_002E']);
});
