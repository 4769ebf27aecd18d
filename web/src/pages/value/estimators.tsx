import type { Valued } from '../../api/valuations.ts';
import { formatPercent, formatUsd } from '../../parts/format.ts';
import { percentDigitsToFollow } from './digits-to-follow.ts';

const NAMES: Readonly<Record<string, string>> = {
  model: 'the model',
  comparables: 'the comparables',
  census: 'census rents',
  sales_comparison: 'sales comparison',
  gross_rent_multiplier: 'rent multiplier',
  income: 'income',
};

/** How the value is put together: `72.0% of the model’s $412,300 + 28.0% of the comparables’ $402,100 = $409,444`. */
export function EstimatorSum({ valued }: { readonly valued: Valued }) {
  const { estimators, point_value } = valued.answer.valuation;
  const digits = percentDigitsToFollow(point_value, (round) =>
    estimators.reduce((sum, { value, weight }) => sum + round(weight) * value, 0),
  );
  return (
    <p class="sum-line">
      {estimators.map(({ name, value, weight }, i) => (
        <span key={name}>
          {i > 0 && ' + '}
          <strong>{formatPercent(weight, digits)}</strong> × {formatUsd(value)}{' '}
          <span class="quiet">({NAMES[name] ?? name.replaceAll('_', ' ')})</span>
        </span>
      ))}{' '}
      = <strong>{formatUsd(point_value)}</strong>
    </p>
  );
}
