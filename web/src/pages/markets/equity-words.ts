import type { EquityMeasure, EquityVerdict } from '../../../../src/domain/equity.ts';
import type { EquityFigure } from '../../api/markets.ts';
import { UNKNOWN } from '../../parts/format.ts';

interface MeasureWords {
  readonly name: string;
  readonly meaning: string;
  readonly decimals: number;
  /** What it means that the whole interval is on this side of the range. */
  readonly below: string;
  readonly above: string;
}

const WORDS: Readonly<Record<EquityMeasure, MeasureWords>> = {
  median_ratio: {
    name: 'Median ratio',
    meaning: 'The median of value / price: the level of the values.',
    decimals: 3,
    below: 'Half of the values are more than 10% below the price.',
    above: 'Half of the values are more than 10% above the price.',
  },
  cod: {
    name: 'COD',
    meaning: 'Coefficient of dispersion: how far ratios of value to price are from their median, in percent.',
    decimals: 1,
    below:
      'More uniform than expected. Where values are set after a sale, this can mean that they follow its price; holdout values cannot.',
    above: 'Values scatter more than the standard accepts.',
  },
  prd: {
    name: 'PRD',
    meaning:
      'Price-related differential: mean ratio by the price-weighted ratio. It rises with the scatter of prices alone.',
    decimals: 3,
    below: 'Progressive: expensive homes are valued too high compared with cheap ones.',
    above: 'Regressive: expensive homes are valued too low compared with cheap ones.',
  },
  prb: {
    name: 'PRB',
    meaning: 'Price-related bias: change of the ratio when the value doubles.',
    decimals: 3,
    below: 'Regressive: the ratio falls by more than 5% as the value doubles.',
    above: 'Progressive: the ratio rises by more than 5% as the value doubles.',
  },
  vei: {
    name: 'VEI',
    meaning:
      'Vertical equity indicator: median ratio of the most expensive group less that of the cheapest, in percent. Groups are by the mean of value and price.',
    decimals: 1,
    below: 'Regressive: the most expensive homes are valued more than 10% lower than the cheapest.',
    above: 'Progressive: the most expensive homes are valued more than 10% higher than the cheapest.',
  },
};

export const measureWords = (measure: EquityMeasure): MeasureWords => WORDS[measure];

export const VERDICT_NAMES: Readonly<Record<EquityVerdict, string>> = {
  in_range: 'in range',
  below: 'outside',
  above: 'outside',
  uncertain: 'uncertain',
};

/** `1.012 (0.998–1.027)` */
export function equityFigure({ measure, figure, ci95 }: EquityFigure): string {
  if (figure === null) return UNKNOWN;
  const { decimals } = WORDS[measure];
  const text = (value: number): string => value.toFixed(decimals).replace('-', '−');
  return ci95 ? `${text(figure)} (${text(ci95[0])} to ${text(ci95[1])})` : text(figure);
}

/** `0.98 to 1.03` */
export function rangeText({ range }: EquityFigure): string {
  return range.map((bound) => String(bound).replace('-', '−')).join(' to ');
}

/** What the comparison with the range means, as a sentence. */
export function verdictSentence({ measure, figure, verdict, ci95 }: EquityFigure): string {
  if (figure === null) return 'Too few sales to measure it.';
  const words = WORDS[measure];
  if (verdict === 'in_range') return 'The whole confidence interval is within the range.';
  if (verdict === 'uncertain')
    return `The confidence interval crosses a bound of the range: more sales would decide${sideOf(measure, ci95)}.`;
  return verdict === 'below' ? words.below : words.above;
}

/** Whether a bias is certain, though not that it is larger than the standard accepts: its whole interval is on one side of 0. */
function sideOf(measure: EquityMeasure, ci95: EquityFigure['ci95']): string {
  if ((measure !== 'prb' && measure !== 'vei') || !ci95 || ci95[0] * ci95[1] <= 0) return '';
  return ` whether it is too large. That the values are ${ci95[0] < 0 ? 'regressive' : 'progressive'} is certain`;
}
