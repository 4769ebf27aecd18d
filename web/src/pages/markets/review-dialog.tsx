import { useState } from 'preact/hooks';
import { PROPERTY_TYPE_LABELS } from '../../../../src/domain/property-types.ts';
import { listSaleReviews, reviewSale, type SaleReview, type SaleToReview } from '../../api/markets.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { FormDialog, ReasonField } from '../../parts/dialog.tsx';
import { Segments } from '../../parts/field.tsx';
import { formatCount, formatDay, formatMany, formatUsd, withReadableDates } from '../../parts/format.ts';
import { Facts } from '../../parts/page.tsx';
import { FLAG_NAMES } from './flag-words.ts';

/** Who decided. A decision of a user who was disabled later still counts. */
export function byOf({ by, by_disabled_user }: SaleReview): string {
  return by_disabled_user ? `${by} (disabled)` : by;
}

export function decisionOf({ is_used: isUsed }: Pick<SaleReview, 'is_used'>): string {
  if (isUsed === null) return 'withdrawn';
  return isUsed ? 'use' : 'do not use';
}

/** One sale with the reason of its flag, the decision about it, and earlier ones. */
export function ReviewDialog(props: {
  readonly market: string;
  readonly sale: SaleToReview;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}) {
  const { market, sale, onSaved, onClose } = props;
  const { record_id, address, flag, sentence, flagged_on, is_used } = sale;
  // A decision that counts is more often withdrawn than turned around.
  const [isUsed, setUsed] = useState(sale.review === null ? !is_used : null);
  const [reason, setReason] = useState('');
  const reviews = useRequest((signal) => listSaleReviews(market, record_id, signal), [market, record_id]);
  const saving = useAction(async () => {
    await reviewSale(market, { record_id, is_used: isUsed, reason });
    onSaved();
  });
  return (
    <FormDialog
      title={address || record_id}
      action="Save decision"
      busy="Saving …"
      doing={saving}
      onClose={onClose}
    >
      <Facts
        facts={[
          ['Record ID', record_id],
          ['Sold', `${formatDay(sale.sold_on)} for ${formatUsd(sale.price)}`],
          ['Home', homeOf(sale)],
          ['Price per sq ft', formatUsd(sale.price_per_sqft)],
          ['Typical nearby', formatUsd(sale.nearby_price_per_sqft)],
          [
            'Why flagged',
            flag === 'none' ? FLAG_NAMES.none : `${FLAG_NAMES[flag]}. ${withReadableDates(sentence)}`,
          ],
          ['Known since', flagged_on !== null && formatDay(flagged_on)],
          ['Now', is_used ? 'used' : 'not used'],
        ]}
      />
      {reviews.data !== null && reviews.data.length > 0 && (
        <ul class="small">
          {reviews.data.map((review) => (
            <li key={review.at}>
              {formatDay(review.at)}, {byOf(review)}: {decisionOf(review)} from {formatDay(review.from)}.{' '}
              {review.reason}
            </li>
          ))}
        </ul>
      )}
      <Segments
        aria-label="Decision"
        choices={[
          { value: true, label: 'Use the sale' },
          { value: false, label: 'Do not use it' },
          ...(sale.review === null ? [] : [{ value: null, label: 'Withdraw the decision' }]),
        ]}
        value={isUsed}
        onChange={setUsed}
      />
      <ReasonField
        value={reason}
        onInput={setReason}
        hint="Kept in the audit log. It counts for values as of today and later."
        doing={saving}
      />
    </FormDialog>
  );
}

/** `Houses, 3 bedrooms, 2 baths, 1,500 sq ft, built 1960` */
function homeOf(sale: SaleToReview): string {
  const { type, bedrooms, bathrooms, living_area, lot_size, year_built, total_units } = sale;
  const known = [
    [bedrooms, 'bedroom'],
    [bathrooms, 'bath'],
    [total_units !== null && total_units > 1 ? total_units : null, 'unit'],
  ] as const;
  const areas = [
    [living_area, 'sq ft'],
    [lot_size, 'sq ft of lot'],
  ] as const;
  const parts = [
    ...known.flatMap(([value, name]) => (value === null ? [] : formatMany(value, name))),
    ...areas.flatMap(([value, name]) => (value === null ? [] : `${formatCount(value)} ${name}`)),
  ];
  const built = year_built === null ? [] : [`built ${year_built}`];
  return [PROPERTY_TYPE_LABELS[type], ...parts, ...built].join(', ');
}
