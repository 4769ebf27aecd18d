/** A command whose output and reports are recorded. */
export interface LoadStep {
  readonly name: string;
  readonly args: readonly string[];
}

const SAMPLE = 'sample-county/generated-';
const SAMPLE_CENSUS_2024 = [
  'B01001',
  'B01002',
  'B01003',
  'B08301',
  'B11001',
  'B19001',
  'B19013',
  'B25001',
  'B25002',
  'B25003',
  'B25008',
  'B25010',
  'B25024',
  'B25031',
  'B25034',
  'B25035',
  'B25041',
  'B25064',
  'B25077',
].map((table) => `ACSDT5Y2024.${table}-Data.csv`);
const SAMPLE_CENSUS_2019 = ['B01003', 'B19013', 'B25003', 'B25064', 'B25077'].map(
  (table) => `ACSDT5Y2019.${table}-Data.csv`,
);
const IMPORT_DAY = ['--retrieved-at', '2026-11-20', '--source-name', 'recording', '--license', 'none'];

/** The columns of Ames that its ready mapping keeps as features of its own. */
const AMES_FEATURES = ['--feature', 'Neighborhood'];

/** Everything that a data folder of a recording holds, in order: addresses and parcels place what comes later. */
export function importSteps(mapping: (name: string) => string): LoadStep[] {
  const step = (market: string, kind: string, files: readonly string[], ...options: string[]): LoadStep => ({
    name: `import ${market} ${kind} ${files[0]}`,
    args: ['import', kind, ...files, '--market', market, ...IMPORT_DAY, '--json', ...options],
  });
  const sample = (kind: string, names: readonly string[], ...options: string[]): LoadStep =>
    step(
      'sample-county',
      kind,
      names.map((name) => `${SAMPLE}${name}`),
      ...options,
    );
  const shared = (market: string, kind: string, name: string, ...options: string[]): LoadStep =>
    step(market, kind, [`shared/${name}`], ...options);
  const mapped = (name: string): string[] => ['--mapping', mapping(name)];
  const milwaukee = ['--format', 'milwaukee'];
  return [
    sample('addresses', ['addresses.csv']),
    sample('parcels', ['parcels.csv'], '--as-of-date', '2026-11-20'),
    sample('sales', ['sales.csv']),
    sample('sales', ['sales.csv']),
    sample('rents', ['rents.csv']),
    sample('census-areas', ['census-areas-2020.geojson', 'census-areas-2010.geojson']),
    sample('census-values', [...SAMPLE_CENSUS_2024, ...SAMPLE_CENSUS_2019]),
    sample('crime', ['crime.csv']),
    sample('fire', ['burn-probability.tif']),
    sample('flood', ['S_FLD_HAZ_AR.geojson']),
    step('east', 'sales', ['east/sales.csv']),
    step('east', 'census-areas', [
      'east/generated-census-areas-2020.geojson',
      'east/generated-census-areas-2010.geojson',
    ]),
    step(
      'east',
      'census-values',
      SAMPLE_CENSUS_2024.map((name) => `east/generated-${name}`),
    ),
    shared('wa-king', 'addresses', 'king-addresses.csv', ...mapped('king-addresses.json')),
    shared('wa-king', 'sales', 'king-sales.csv', ...mapped('king.json')),
    shared('wa-king', 'census-areas', 'king-tracts.geojson.gz'),
    shared('wa-king', 'census-areas', 'king-tracts.geojson.gz', '--vintage', '2010'),
    shared('wa-king', 'census-areas', 'king-tracts.zip', '--vintage', '2010'),
    shared('wa-king', 'crime', 'king-crime.csv', '--format', 'seattle'),
    shared('wi-milwaukee', 'addresses', 'milwaukee-addresses.csv', ...milwaukee),
    shared('wi-milwaukee', 'parcels', 'milwaukee-parcels.csv', ...milwaukee, '--as-of-date', '2021-12-31'),
    shared('wi-milwaukee', 'sales', 'milwaukee-sales.csv'),
    shared('wi-milwaukee', 'crime', 'milwaukee-crime.csv', ...milwaukee),
    shared('raw', 'parcels', 'milwaukee-parcels.csv', ...milwaukee, '--as-of-date', '2021-12-31'),
    shared('raw', 'sales', 'milwaukee-raw-2014.csv', ...milwaukee, '--max-rejects', '0.9'),
    shared('raw', 'sales', 'milwaukee-raw-2021.csv', ...milwaukee, '--max-rejects', '0.9'),
    shared('raw', 'sales', 'milwaukee-raw-2021.csv', ...milwaukee),
    shared('ny-nyc', 'rents', 'nyc-rents.csv', '--date-precision', 'none', ...mapped('nyc-renthop.json')),
    shared('ny-nyc', 'census-areas', 'nyc-tracts.geojson.gz', '--vintage', '2010'),
    step('ny-nyc', 'census-values', [
      'shared/nyc_block_groups_ACSDT5Y2020.B01003-Data.csv.gz',
      'shared/nyc_block_groups_ACSDT5Y2020.B11001-Data.csv.gz',
    ]),
    shared('ny-nyc', 'crime', 'nyc-crime.csv', ...mapped('nyc-vehicle-thefts.json')),
    shared('bexar', 'census-values', 'bexar_tracts_ACSDP5Y2021.DP03-Data.csv.gz'),
    shared('bexar', 'census-values', 'bexar_tracts_ACSST5Y2021.S1701-Data.csv.gz'),
    shared('cambridge', 'census-areas', 'cambridge-tracts.geojson.gz'),
    shared('cambridge', 'census-areas', 'cambridge-block-groups.geojson.gz'),
    shared('cambridge', 'flood', 'cambridge-flood-500.geojson.gz'),
    shared('cambridge', 'flood', 'cambridge-flood-100.geojson.gz', '--replace'),
    shared('cities', 'crime', 'homicides.csv', ...mapped('homicides15.json')),
    shared('ames', 'sales', 'ames.csv.gz', ...mapped('ames.json'), ...AMES_FEATURES),
    // Rejected as a whole.
    shared('broken', 'sales', 'nyc-rents.csv'),
    shared('broken', 'flood', 'king-tracts.geojson.gz'),
    shared('broken', 'parcels', 'missing.csv'),
    shared('Not A Market', 'sales', 'king-sales.csv', ...mapped('king.json')),
  ];
}

function train(market: string, asOf: string, kind?: string): LoadStep {
  const kinds = kind === undefined ? [] : ['--kind', kind];
  return {
    name: ['train', market, asOf, ...kinds].join(' '),
    args: ['train', '--market', market, '--as-of', asOf, ...kinds, '--json'],
  };
}

/** King and Milwaukee end years before today, so every training has its own as-of date. */
export const TRAINING_STEPS: readonly LoadStep[] = [
  train('sample-county', '2025-11-20', 'property'),
  train('sample-county', '2026-11-20'),
  train('east', '2026-11-20'),
  train('wa-king', '2015-05-28'),
  train('wi-milwaukee', '2023-01-15'),
  train('ny-nyc', '2016-07-15'),
  train('cambridge', '2026-11-20'),
];

function backtest(market: string, ...options: string[]): LoadStep {
  return {
    name: ['backtest', market, ...options].join(' '),
    args: ['backtest', '--market', market, ...options, '--json'],
  };
}

export const BACKTEST_STEPS: readonly LoadStep[] = [
  backtest('sample-county', '--from', '2026-09-01', '--to', '2026-10-31', '--every', '1mo'),
  backtest('sample-county', '--kind', 'rental', '--from', '2026-10-01', '--to', '2026-10-31'),
  backtest('sample-county', '--kind', 'multifamily', '--train-before', '2025-11-01'),
  backtest('wa-king', '--train-before', '2015-04-01', '--recording-lag', '0', '--no-baselines'),
  backtest('wi-milwaukee', '--from', '2022-11-01', '--to', '2022-12-31', '--every', '1mo', '--no-baselines'),
  backtest('ny-nyc', '--kind', 'rental', '--folds', 'point', '--fold-count', '2', '--no-baselines'),
  backtest('ames', '--folds', 'cell', '--fold-count', '2'),
  backtest('nowhere', '--train-before', '2015-04-01'),
];
