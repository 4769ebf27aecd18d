import type { StratumJson } from './stratum-json.ts';
import { FIGURE_NAMES, type FigureName } from './stratum-json.ts';
import { csvLine } from './csv-line.ts';

/** Strata by the name of their group: `overall`, `by_type` … as in the JSON. */
export type StratumGroups = Readonly<Record<string, Readonly<Record<string, StratumJson>>>>;

const NAMES = Object.keys(FIGURE_NAMES) as FigureName[];

/** One line per stratum: its group and key, n, then each figure with its 95 % interval. */
export function* strataCsv(groups: StratumGroups): Generator<string> {
  const figures = NAMES.flatMap((name) => [name, `${name}_ci95_low`, `${name}_ci95_high`]);
  yield csvLine(['group', 'cell', 'n', 'is_small', ...figures]);
  for (const [group, strata] of Object.entries(groups)) {
    for (const [key, stratum] of Object.entries(strata)) {
      const values = NAMES.flatMap((name) => [stratum[name], ...(stratum.ci95[name] ?? [null, null])]);
      yield csvLine([
        group,
        key,
        stratum.n,
        Number(stratum.is_small),
        ...values.map((value) => value ?? NaN),
      ]);
    }
  }
}
