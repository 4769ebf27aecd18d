import { Type } from 'typebox';
import { actingIn } from '../../../accounts/sessions.ts';
import { dayOfInstant, formatDay, formatDayOrNull } from '../../../domain/day.ts';
import { instant } from '../../../domain/instant.ts';
import { PROPERTY_TYPES } from '../../../domain/property.ts';
import {
  MAX_REASON_CHARACTERS,
  reviewSale,
  SALE_DECISIONS,
  type SaleToReview,
} from '../../../operations/market/review-sales.ts';
import type { ResponseOf } from '../../../schemas/member-names.ts';
import {
  boolean,
  integer,
  nullable,
  oneOf,
  optional,
  responseObject,
  string,
} from '../../../schemas/members.ts';
import { listSaleReviews, type SaleReview } from '../../../store/sale-reviews.ts';
import { SALE_FLAGS } from '../../../valuation/flags/sale-flags.ts';
import { pathParameter } from '../../request-context.ts';
import { type ConsoleRoute, get, getFile, post } from '../console-route.ts';
import { writeItemsCsv, type DescribedColumn } from '../../../tables/described-columns.ts';
import { sendCsv } from '../send-file.ts';
import { STREAM_MS } from '../../send-text.ts';

/** Sales of a page. */
const SALES_LISTED = 25;
const REVIEWS_LISTED = 200;

const RecordId = string('The id of the sale in the market.', { minLength: 1, maxLength: 200 });

const salesFilter = {
  flag: Type.Optional(oneOf(SALE_FLAGS.slice(1), 'Only sales with this flag.')),
  find: optional.string('Lists sales whose record id or address contains this text, flagged or not.', {
    maxLength: 100,
  }),
  decision: Type.Optional(oneOf(SALE_DECISIONS, 'Only sales about which an operator decided so.')),
};
const SalesFilter = Type.Object(salesFilter);
const SalesToReviewQuery = Type.Object({
  ...salesFilter,
  cursor: optional.string('`next_cursor` of the previous page.', { maxLength: 10 }),
});

const ReviewsQuery = Type.Object({ record_id: Type.Optional(RecordId) });

export const ReviewBody = Type.Object({
  record_id: RecordId,
  is_used: nullable.boolean(
    'Whether values use the sale; null withdraws the decision, so that its flag counts.',
  ),
  reason: string('Why; kept in the audit log.', { minLength: 1, maxLength: MAX_REASON_CHARACTERS }),
});

const Review = responseObject('SaleReview', {
  record_id: string(),
  is_used: nullable.boolean('Null: earlier decisions were withdrawn.'),
  from: string('The first as-of date on which it counts.'),
  reason: string(),
  by: string(),
  by_disabled_user: boolean('The user was disabled since. The decision still counts.'),
  at: string(),
});

const SaleToReviewBody = responseObject('SaleToReview', {
  record_id: string(),
  address: string('Empty if unknown.'),
  type: oneOf(PROPERTY_TYPES),
  sold_on: string(),
  price: integer(),
  price_per_sqft: nullable.number(),
  nearby_price_per_sqft: nullable.number(
    'Median of the earlier sales of the type nearby; null without enough of them.',
  ),
  bedrooms: nullable.number(),
  bathrooms: nullable.number(),
  living_area: nullable.number(),
  lot_size: nullable.number(),
  year_built: nullable.number(),
  total_units: nullable.number(),
  flag: oneOf(SALE_FLAGS),
  sentence: string('Why it is flagged, with the figures of the rule.'),
  flagged_on: nullable.string('The first as-of date on which the flag counts.'),
  is_used: boolean('Whether a training today uses it.'),
  review: Type.Union([Review, Type.Null()], { description: 'The decision that counts today.' }),
});

export const SalesToReviewBody = responseObject('SalesToReview', {
  sales: Type.Array(SaleToReviewBody, { description: 'Newest first.' }),
  total: integer('Sales in the whole list.'),
  flags: Type.Array(responseObject('FlagCount', { flag: oneOf(SALE_FLAGS), sales: integer() }), {
    description: 'How many sales of the market have each flag.',
  }),
  next_cursor: nullable.string('Null on the last page.'),
});

export const SaleReviewsBody = responseObject('SaleReviews', {
  reviews: Type.Array(Review, { description: 'Newest first.' }),
});

function reviewMembers(review: SaleReview): ResponseOf<typeof Review> {
  const { recordId, isUsed, fromDay, reason, actorName, isByDisabledUser, createdAt } = review;
  return {
    recordId,
    isUsed,
    from: formatDay(fromDay),
    reason,
    by: actorName,
    byDisabledUser: isByDisabledUser,
    at: instant(createdAt),
  };
}

function saleMembers(sale: SaleToReview): ResponseOf<typeof SaleToReviewBody> {
  const { recordId, address, type, soldOn, priceUsd, pricePerSqft, localPricePerSqft, attributes } = sale;
  const { bedrooms, bathrooms, livingAreaSqft, lotSizeSqft, yearBuilt, totalUnits } = attributes;
  const { flag, sentence, flaggedOn, isUsed, review } = sale;
  return {
    recordId,
    address,
    type,
    soldOn: formatDay(soldOn),
    price: priceUsd,
    pricePerSqft,
    nearbyPricePerSqft: localPricePerSqft,
    bedrooms,
    bathrooms,
    livingArea: livingAreaSqft,
    lotSize: lotSizeSqft,
    yearBuilt,
    totalUnits,
    flag,
    sentence,
    flaggedOn: formatDayOrNull(flaggedOn),
    isUsed,
    review: review && reviewMembers(review),
  };
}

type SaleMembers = ReturnType<typeof saleMembers>;

const inCents = (usd: number | null): number | null => usd && Math.round(usd * 100) / 100;

/** Of the CSV file. */
const SALE_COLUMNS: readonly DescribedColumn<SaleMembers>[] = [
  { name: 'record_id', type: 'text', of: (sale) => sale.recordId },
  { name: 'address', type: 'text', of: (sale) => sale.address },
  { name: 'type', type: 'text', of: (sale) => sale.type },
  { name: 'sold_on', type: 'text', of: (sale) => sale.soldOn },
  { name: 'price', type: 'number', of: (sale) => sale.price },
  { name: 'price_per_sqft', type: 'number', of: (sale) => inCents(sale.pricePerSqft) },
  { name: 'nearby_price_per_sqft', type: 'number', of: (sale) => inCents(sale.nearbyPricePerSqft) },
  { name: 'living_area', type: 'number', of: (sale) => sale.livingArea },
  { name: 'year_built', type: 'number', of: (sale) => sale.yearBuilt },
  { name: 'flag', type: 'text', of: (sale) => sale.flag },
  { name: 'why', type: 'text', of: (sale) => sale.sentence },
  { name: 'flagged_on', type: 'text', of: (sale) => sale.flaggedOn },
  { name: 'is_used', type: 'text', of: (sale) => String(sale.isUsed) },
  {
    name: 'decision',
    type: 'text',
    of: (sale) => sale.review && (sale.review.isUsed ? 'use' : 'do not use'),
  },
  { name: 'reason', type: 'text', of: (sale) => sale.review?.reason ?? null },
  { name: 'decided_by', type: 'text', of: (sale) => sale.review?.by ?? null },
];

/** Which sales values use. Markets belong to the installation, so only its operators decide. */
export const SALE_REVIEW_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/markets/{id}/sales', 'listSalesToReview', 'operator', {
    input: SalesToReviewQuery,
    response: SalesToReviewBody,
    handle: async ({ deps, request, store, read }) => {
      const { flag = null, find, decision = null, cursor } = read();
      const skip = Number(/^\d+$/.exec(cursor ?? '')?.[0] ?? 0);
      const { sales, total, flags } = await deps.operations.listSalesToReview({
        marketId: pathParameter(request, 'id'),
        flag,
        find: find ?? '',
        decision,
        today: dayOfInstant(store.clock()),
        skip,
        most: SALES_LISTED,
      });
      const next = skip + sales.length;
      return { sales: sales.map(saleMembers), total, flags, nextCursor: next < total ? `${next}` : null };
    },
  }),
  // Every sale of the list, for spreadsheets.
  getFile('/console/api/markets/{id}/sales.csv', 'downloadSalesToReview', 'operator', {
    input: SalesFilter,
    responseType: 'text/csv',
    responseTimeoutMs: STREAM_MS,
    handle: async ({ deps, request, reply, store, read }) => {
      const { flag = null, find, decision = null } = read();
      const marketId = pathParameter(request, 'id');
      const today = dayOfInstant(store.clock());
      const wanted = { marketId, flag, find: find ?? '', decision, today, skip: 0, most: Infinity };
      const { sales } = await deps.operations.listSalesToReview(wanted);
      const pieces = writeItemsCsv(SALE_COLUMNS, [sales.map(saleMembers)]);
      return sendCsv(reply, `${marketId}-flagged-sales.csv`, pieces);
    },
  }),
  get('/console/api/markets/{id}/sale-reviews', 'listSaleReviews', 'operator', {
    input: ReviewsQuery,
    response: SaleReviewsBody,
    handle: async ({ request, store, read }) => {
      const { record_id: recordId = null } = read();
      const wanted = { marketId: pathParameter(request, 'id'), recordId, most: REVIEWS_LISTED };
      return { reviews: (await listSaleReviews(store, wanted)).map(reviewMembers) };
    },
  }),
  post('/console/api/markets/{id}/sale-reviews', 'reviewSale', 'operator', {
    input: ReviewBody,
    response: SaleReviewsBody,
    handle: async ({ request, session, store, read }) => {
      const { record_id: recordId, is_used: isUsed, reason } = read();
      const marketId = pathParameter(request, 'id');
      // A decision counts from the day on which it is made, so that values as of earlier days stay the same.
      const fromDay = dayOfInstant(store.clock());
      await reviewSale(store, actingIn(session), marketId, { recordId, isUsed, fromDay, reason });
      const reviews = await listSaleReviews(store, { marketId, recordId, most: REVIEWS_LISTED });
      return { reviews: reviews.map(reviewMembers) };
    },
  }),
];
