import { formatDay, formatMany, formatPercent, formatUsd, UNKNOWN } from '../../domain/display-format.ts';
import { LEVEL_RULES } from '../../domain/confidence-level.ts';
import { formatProximity } from '../../domain/compass-direction.ts';
import { wordOf } from '../../domain/field-words.ts';
import type { Preparation } from '../../domain/report.ts';
import { PROPERTY_TYPE_LABELS } from '../../domain/property-types.ts';
import type { Block } from '../../reports/document.ts';
import type { ValuationOf } from '../valuation-types.ts';
import { preparationBlocks } from './preparation.ts';
import {
  accuracyBlocks,
  addressOf,
  closingBlocks,
  countyOf,
  factBlocks,
  heading,
  NO_COMPARABLES,
  paragraph,
  placeOf,
  valueBlocks,
  type FactsOf,
} from './report-sections.ts';

/** Reports without a sales comparison grid: of the rents of units, and of buildings. */

type Rental = ValuationOf<'rental'>;
type Building = ValuationOf<'multifamily'>;

export function rentReport(
  response: Rental,
  preparation: Preparation | undefined,
  verifyUrl: string | null,
): Block[] {
  const { valuation, comparables } = response;
  const { units } = valuation;
  return [
    ...headerBlocks(response, [['Units valued', String(units.length)]]),
    ...preparationBlocks(preparation),
    ...valueBlocks(valuation, meaningOf(valuation, 'units like these rent', 'rent'), ' per month'),
    heading('Rents of the units'),
    {
      kind: 'table',
      caption: 'Monthly rent of each unit',
      columns: [
        { label: 'Unit', width: 4 },
        { label: 'Rent', width: 2, align: 'right' },
        { label: '90% range', width: 3, align: 'right' },
        { label: 'Per sq ft', width: 2, align: 'right' },
      ],
      rows: [
        ...units.map((unit) => ({
          cells: [
            `${unit.unitIndex + 1}. ${unit.bedrooms} bed, ${unit.bathrooms} bath${unit.size ? `, ${wordOf('size', unit.size)}` : ''}`,
            formatUsd(unit.pointValue),
            `${formatUsd(unit.estimatedRentLow)} to ${formatUsd(unit.estimatedRentHigh)}`,
            unit.rentPerSqft === null ? UNKNOWN : `$${unit.rentPerSqft.toFixed(2)}`,
          ],
        })),
        {
          cells: [
            'All units',
            formatUsd(valuation.pointValue),
            `${formatUsd(valuation.estimatedRentLow)} to ${formatUsd(valuation.estimatedRentHigh)}`,
            '',
          ],
          isTotal: true,
        },
      ],
    },
    ...comparableBlocks(
      'Comparable listings',
      placeOf(response),
      comparables.items.map((one) => ({
        ...one,
        on: one.listedDate,
        price: one.rent,
        adjusted: one.adjustedRent,
      })),
      'Listed',
    ),
    ...endBlocks(
      valuation,
      'listing',
      `The rent is an estimate of the asking rent on ${formatDay(valuation.asOfDate)}. A tenant may agree to less.`,
      verifyUrl,
    ),
  ];
}

export function buildingReport(
  response: Building,
  preparation: Preparation | undefined,
  verifyUrl: string | null,
): Block[] {
  const { valuation, comparables } = response;
  const { salesComparison, grossRentMultiplier, income } = valuation.approaches;
  const approaches = [
    ['Sales comparison', salesComparison],
    ['Gross rent multiplier', grossRentMultiplier],
    ['Income', income],
  ] as const;
  const hasNotes = approaches.some(([, { reason }]) => reason !== null);
  return [
    ...headerBlocks(response, [['Units', String(valuation.totalUnits)]]),
    ...preparationBlocks(preparation),
    ...valueBlocks(valuation, meaningOf(valuation, 'buildings like this one sell', 'price')),
    heading('Three approaches to value'),
    {
      kind: 'table',
      caption: 'Three approaches to value',
      columns: [
        { label: 'Approach', width: 3 },
        { label: 'Value', width: 2, align: 'right' },
        { label: '90% range', width: 3, align: 'right' },
        { label: 'Weight', width: 1.5, align: 'right' },
        ...(hasNotes ? [{ label: 'Note', width: 4 }] : []),
      ],
      rows: approaches.map(([label, { value, low, high, weight, reason }]) => ({
        cells: [
          label,
          formatUsd(value),
          low === null || high === null ? UNKNOWN : `${formatUsd(low)} to ${formatUsd(high)}`,
          formatPercent(weight),
          ...(hasNotes ? [reason ?? ''] : []),
        ],
      })),
    },
    ...comparableBlocks(
      'Comparable sales',
      placeOf(response),
      comparables.items.map((one) => ({
        ...one,
        on: one.saleDate,
        price: one.salePrice,
        adjusted: one.adjustedPrice,
      })),
      'Sold',
    ),
    ...endBlocks(
      valuation,
      'home',
      `The value is an estimate of the price in an arm’s-length sale on ${formatDay(valuation.asOfDate)}, without unusual financing or concessions.`,
      verifyUrl,
    ),
  ];
}

function headerBlocks(response: Rental | Building, facts: readonly (readonly [string, string])[]): Block[] {
  const { valuation } = response;
  return [
    { kind: 'heading', level: 1, text: addressOf(response) },
    {
      kind: 'facts',
      facts: [
        ['Type', PROPERTY_TYPE_LABELS[valuation.propertyType]],
        ...facts,
        ['County', countyOf(response)],
        ['As-of date', formatDay(valuation.asOfDate)],
      ],
    },
  ];
}

/** @param who the end of "Nine of ten …": `buildings like this one sell` */
function meaningOf(
  valuation: Pick<Rental['valuation'], 'fsd' | 'confidenceLevel'>,
  who: string,
  what: 'rent' | 'price',
): string {
  const fsd = formatPercent(valuation.fsd);
  return `Nine of ten ${who} within the range. The forecast standard deviation (FSD) is ${fsd}: for about two of three the ${what} is within ${fsd} of the value. Confidence: ${valuation.confidenceLevel}, which is an FSD ${LEVEL_RULES[valuation.confidenceLevel]}.`;
}

interface Listed {
  readonly streetAddress: string | null;
  readonly compId: string;
  readonly distanceMi: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly on: string;
  readonly price: number;
  readonly adjusted: number;
  readonly netAdjustmentPct: number;
}

function comparableBlocks(
  title: string,
  subject: ReturnType<typeof placeOf>,
  items: readonly Listed[],
  dated: 'Sold' | 'Listed',
): Block[] {
  if (items.length === 0) return [heading(title), NO_COMPARABLES];
  const what = dated === 'Sold' ? 'Price' : 'Rent';
  return [
    heading(title),
    paragraph(`${formatMany(items.length, 'comparable')}, most similar first.`, 'quiet'),
    {
      kind: 'table',
      caption: title,
      columns: [
        { label: 'Address', width: 5 },
        { label: dated, width: 2.2 },
        { label: 'Distance', width: 1.6, align: 'right' },
        { label: what, width: 2, align: 'right' },
        { label: 'Net adjustment', width: 2, align: 'right' },
        { label: `Adjusted ${what.toLowerCase()}`, width: 2.2, align: 'right' },
      ],
      rows: items.map((one, at) => ({
        cells: [
          `${at + 1}. ${one.streetAddress ?? one.compId}`,
          formatDay(one.on),
          formatProximity(one.distanceMi, subject, one),
          formatUsd(one.price),
          `${one.netAdjustmentPct.toFixed(1).replace('-', '−')}%`,
          formatUsd(one.adjusted),
        ],
      })),
    },
  ];
}

function endBlocks(
  valuation: (Rental | Building)['valuation'],
  of: FactsOf,
  assumption: string,
  verifyUrl: string | null,
): Block[] {
  return [
    ...accuracyBlocks(valuation, null, of === 'listing' ? 'listings' : 'sales'),
    ...factBlocks(valuation, of),
    ...closingBlocks({
      valuation,
      verifyUrl,
      assumptions: [
        assumption,
        'The property was not inspected. Its facts are as listed above.',
        'Facts without a record are those of similar properties nearby.',
      ],
    }),
  ];
}
