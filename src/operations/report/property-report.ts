import {
  changeWords,
  formatChangePct,
  formatChangeUsd,
  formatCount,
  formatDay,
  formatMany,
  formatMonth,
  formatPercent,
  formatUsd,
  UNKNOWN,
  withReadableDates,
} from '../../domain/display-format.ts';
import { marketName } from '../../domain/market-name.ts';
import { LEVEL_RULES } from '../../domain/confidence-level.ts';
import { LINES_EXPLAINED, WEIGHTS_EXPLAINED } from '../../domain/adjustment-fields.ts';
import { formatProximity } from '../../domain/compass-direction.ts';
import { wordOf } from '../../domain/field-words.ts';
import { PROPERTY_TYPE_LABELS } from '../../domain/property-types.ts';
import type { AreaShape } from '../../geo/areas/area-shape.ts';
import type { Block, FactsBlock } from '../../reports/document.ts';
import { indexFigure } from '../../reports/index-figure.ts';
import { mapFigure, type MapBackground } from '../../reports/map-figure.ts';
import type { Preparation, ReportVersion } from '../../domain/report.ts';
import type { ChallengeRecord } from '../../store/tables/accounts.ts';
import type { PropertyInputs, ValuationOf } from '../valuation-types.ts';
import { appealBlocks, changedBlocks, renovationBlocks } from './appeal-blocks.ts';
import { choiceText, comparablesGrid } from './comparables-grid.ts';
import { preparationBlocks } from './preparation.ts';
import type { PinnedFacts } from './pinned-facts.ts';
import { changeOverYear } from './price-change.ts';
import {
  accuracyBlocks,
  addressOf,
  closingBlocks,
  countyOf,
  factBlocks,
  heading,
  nameOfSale,
  NO_COMPARABLES,
  paragraph,
  placeOf,
  valueBlocks,
} from './report-sections.ts';
import { whyThisValue } from './why-this-value.ts';

/** What the report of a home is written from. */
interface PropertyReport {
  readonly version: ReportVersion;
  readonly preparation: Preparation | undefined;
  readonly response: ValuationOf<'property'>;
  readonly inputs: PropertyInputs;
  readonly challenge: ChallengeRecord | null;
  /** Null if the model or the data was pruned. */
  readonly pinned: PinnedFacts | null;
  /** Census tracts in the box of the map. */
  readonly outlines: readonly AreaShape[];
  /** Imported map layers there. */
  readonly background: MapBackground;
  /** Where a reader can verify it. Null if the public address of the server is not known. */
  readonly verifyUrl: string | null;
}

/** The report of a home, in reading order. */
export function propertyReport(report: PropertyReport): Block[] {
  const { version, response, inputs, challenge, pinned, verifyUrl } = report;
  const { valuation, changes } = response;
  const isForOwner = version === 'owner';
  return [
    ...headerBlocks(report),
    ...(version === 'appeal' && changes ? appealBlocks(response, changes, challenge) : []),
    ...composedValueBlocks(response, version),
    ...(version !== 'appeal' && changes
      ? [...changedBlocks(response, changes, challenge), ...renovationBlocks(changes.renovations)]
      : []),
    ...(isForOwner ? whyThisValue(response, pinned) : []),
    ...mapBlocks(report),
    ...(isForOwner ? shortComparables(response) : fullGrid(report)),
    ...marketBlocks(pinned),
    ...accuracyBlocks(valuation, pinned?.accuracy ?? null, 'sales'),
    ...factBlocks(valuation, 'home'),
    ...closingBlocks({
      valuation,
      verifyUrl,
      assumptions: [
        `The value is an estimate of the price in an arm’s-length sale on ${formatDay(valuation.asOfDate)}, without unusual financing or concessions.`,
        'The property was not inspected. Its facts, and its condition if known, are as listed above.',
        'Facts without a record are those of similar homes nearby.',
        `Only sales that were known on ${formatDay(valuation.asOfDate)} were used${inputs.indexSha256 ? ', and price indexes that were published by then' : ''}.`,
      ],
    }),
  ];
}

function headerBlocks({ response, inputs, pinned, preparation }: PropertyReport): Block[] {
  const { valuation } = response;
  const { subject } = inputs;
  const lastSale = pinned?.ownSales.at(-1);
  const used = new Map(valuation.inputs.map(({ field, value }) => [field, value]));
  const fact = (label: string, field: string): FactsBlock['facts'][number] => {
    const value = used.get(field) ?? null;
    return [label, value === null ? UNKNOWN : wordOf(field, value)];
  };
  return [
    { kind: 'heading', level: 1, text: addressOf(response) },
    {
      kind: 'facts',
      facts: [
        ['Type', PROPERTY_TYPE_LABELS[valuation.propertyType]],
        fact('Bedrooms', 'total_bedrooms'),
        fact('Bathrooms', 'total_bathrooms'),
        fact('Living area', 'living_area'),
        fact('Lot size', 'lot_size'),
        fact('Year built', 'year_built'),
        ['Parcel ID', subject.home.parcelId ?? UNKNOWN],
        [
          'Last sale',
          lastSale ? `${formatUsd(lastSale.salePrice)}, ${formatDay(lastSale.saleDate)}` : 'None on record',
        ],
        ['County', countyOf(response)],
        ['As-of date', formatDay(valuation.asOfDate)],
      ],
    },
    ...preparationBlocks(preparation),
  ];
}

function composedValueBlocks(
  { valuation, changes }: ValuationOf<'property'>,
  version: ReportVersion,
): Block[] {
  const { pointValue, fsd, probabilityWithin_10Pct: within10 } = valuation;
  const { confidenceLevel, confidenceScore, estimators } = valuation;
  const renovatedUsd = changes?.split.find(({ cause }) => cause === 'renovations')?.amount ?? 0;
  return [
    ...valueBlocks(
      valuation,
      version === 'owner'
        ? `Nine of ten homes like this one sell within the range, and about two of three within ${formatPercent(fsd)} of the value. The chance that the price is within 10% of the value is ${formatPercent(within10, 0)}. Confidence: ${confidenceLevel}.`
        : `Nine of ten homes like this one sell within the range. The forecast standard deviation (FSD) is ${formatPercent(fsd)}: about two of three sell within ${formatPercent(fsd)} of the value. The chance that the price is within 10% of the value is ${formatPercent(within10, 0)}. Confidence: ${confidenceLevel}, which is an FSD ${LEVEL_RULES[confidenceLevel]}. The confidence score, 100 minus the FSD in percent, is ${confidenceScore}.`,
    ),
    {
      kind: 'table',
      caption: 'How the value is composed',
      columns: [
        { label: 'Method', width: 4 },
        { label: 'Value', width: 2, align: 'right' },
        { label: 'Weight', width: 2, align: 'right' },
      ],
      rows: [
        ...estimators.map(({ name, value, weight }) => ({
          cells: [ESTIMATORS[name] ?? name, formatUsd(value), formatPercent(weight)],
        })),
        ...(renovatedUsd === 0
          ? []
          : [
              {
                cells: [
                  'Completed renovations, added to the weighted sum',
                  formatChangeUsd(renovatedUsd),
                  '',
                ],
              },
            ]),
        { cells: ['Value', formatUsd(pointValue), '100.0%'], isTotal: true as const },
      ],
    },
  ];
}

const ESTIMATORS: Readonly<Record<string, string>> = {
  model: 'Statistical model of all sales',
  comparables: 'Adjusted prices of comparables',
  census: 'Census figures',
};

function mapBlocks({ response, inputs, pinned, outlines, background }: PropertyReport): Block[] {
  const { lat, lon } = inputs.subject.home;
  return [
    heading('Map'),
    mapFigure({
      subject: { lat, lon },
      comparables: response.comparables.items.map(({ latitude, longitude }) => ({
        lat: latitude,
        lon: longitude,
      })),
      outlines: outlines.flatMap(({ polygons }) => polygons),
      homes: pinned?.soldHomes ?? [],
      background,
    }),
  ];
}

function searchSentence({ changes, comparables: { search, items } }: ValuationOf<'property'>): string {
  if (changes)
    return `The ${formatMany(items.length, 'comparable')} of the changed value, most similar first.`;
  const within = search.lookbackMonths === null ? '' : `, in the last ${search.lookbackMonths} months`;
  const found = formatMany(search.candidates, 'nearest sale');
  return `The ${formatMany(items.length, 'most similar', 'most similar')} of the ${found} within ${formatMany(search.radiusMi, 'mile')}${within}, most similar first.`;
}

function shortComparables(response: ValuationOf<'property'>): Block[] {
  const { items } = response.comparables;
  if (items.length === 0) return [heading('Comparable sales'), NO_COMPARABLES];
  return [
    heading('Comparable sales'),
    paragraph(searchSentence(response), 'quiet'),
    {
      kind: 'table',
      caption: 'Comparable sales, most similar first',
      columns: [
        { label: 'Sale', width: 5 },
        { label: 'Sold', width: 2.2 },
        { label: 'Distance', width: 1.6, align: 'right' },
        { label: 'Living area', width: 2, align: 'right' },
        { label: 'Price', width: 2, align: 'right' },
        { label: 'Adjusted to this home', width: 2.4, align: 'right' },
      ],
      rows: items.map((one, at) => ({
        cells: [
          `${at + 1}. ${one.streetAddress ?? nameOfSale(one)}${choiceText(one)}`,
          formatDay(one.saleDate),
          formatProximity(one.distanceMi, placeOf(response), one),
          one.livingArea === null ? UNKNOWN : wordOf('living_area', one.livingArea),
          formatUsd(one.salePrice),
          formatUsd(one.adjustedPrice),
        ],
      })),
    },
  ];
}

function fullGrid({ response, inputs, pinned }: PropertyReport): Block[] {
  const { items } = response.comparables;
  if (items.length === 0) return [heading('Sales comparison grid'), NO_COMPARABLES];
  const subject = {
    address: addressOf(response),
    postalCode: response.addressInfo.postalCode,
    location: placeOf(response),
    home: inputs.subject.home,
    value: response.valuation,
    ownSales: pinned?.ownSales ?? null,
    replaced: new Set(response.changes?.adjustments.map(({ compId, field }) => `${compId} ${field}`)),
  };
  const weights = items.reduce((sum, { weight }) => sum + weight, 0);
  const weighted = items.reduce((sum, { weight, adjustedPrice }) => sum + weight * adjustedPrice, 0);
  return [
    heading('Sales comparison grid'),
    paragraph(
      `${searchSentence(response)} Price plus adjustments is the adjusted price, to the dollar. A dash means that the loaded records do not have the detail. Estimated details are those of similar homes nearby. Other features lists what the comparable has → what the subject has. ${LINES_EXPLAINED} ${WEIGHTS_EXPLAINED}`,
      'quiet',
    ),
    ...comparablesGrid(subject, items, pinned?.records ?? new Map()),
    paragraph(
      `Each adjusted price times its weight, added up for the ${formatMany(items.length, 'comparable')}: ${formatUsd(weighted)}. They have ${formatPercent(weights)} of all weight.`,
    ),
  ];
}

/** Owners read it too, who know nothing of an index. */
function jumpParagraph({ date, changePct }: PinnedFacts['jumps'][number]): Block {
  return paragraph(
    `On ${formatDay(date)}, recorded prices ${changeWords(changePct)} within a day. Home prices rarely change that much so fast: more likely, the sales before and after that day come from files that record different kinds of sales. So a change from before that day to after it is only partly a change of the market.`,
  );
}

function marketBlocks(pinned: PinnedFacts | null): Block[] {
  const prices = pinned?.prices ?? null;
  const title = heading('Market trends');
  if (prices === null) {
    const reason = pinned
      ? 'There are too few sales for a price index.'
      : 'The model of this valuation was deleted, so its price index is not available.';
    return [title, paragraph(reason)];
  }
  const { history } = prices;
  const overYear = pinned && changeOverYear(pinned);
  const figure = indexFigure(
    history.map(({ month, index, interval_80: { lower, upper } }) => ({ month, index, lower, upper })),
    overYear,
  );
  const fiveYears = history.at(-61);
  const now = history.at(-1);
  const overFive = fiveYears && now ? 100 * (now.index / fiveYears.index - 1) : null;
  const changes = [
    overYear,
    overFive !== null &&
      `${changeWords(overFive)} over five years${pinned?.yearWithoutJumps ? ', with it' : ''}`,
  ].filter((one) => typeof one === 'string');
  return [
    title,
    ...(pinned && changes.length > 0
      ? [
          paragraph(
            `Prices of homes of the same quality in ${marketName(pinned.marketId)} ${changes.join(', and ')}.`,
          ),
        ]
      : []),
    ...(pinned?.jumps ?? []).map(jumpParagraph),
    ...(figure ? [figure] : []),
    ...(pinned?.priceWarnings ?? []).map(({ message }) => paragraph(withReadableDates(message))),
    {
      kind: 'table',
      caption: 'Last six months with sales',
      columns: [
        { label: 'Month', width: 2 },
        { label: 'Index', width: 2, align: 'right' },
        { label: '12-month change', width: 2, align: 'right' },
        { label: 'Sales', width: 2, align: 'right' },
        { label: 'Median price', width: 2, align: 'right' },
        { label: 'Median per sq ft', width: 2, align: 'right' },
      ],
      rows: history.slice(-6).map((one) => ({
        cells: [
          formatMonth(one.month),
          one.index.toFixed(1),
          formatChangePct(one.yearOverYearPct),
          formatCount(one.sales),
          formatUsd(one.medianPrice),
          one.medianPricePerSqft === null ? UNKNOWN : `$${one.medianPricePerSqft.toFixed(2)}`,
        ],
      })),
    },
  ];
}
