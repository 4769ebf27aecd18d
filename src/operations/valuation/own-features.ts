import type { Day } from '../../domain/day.ts';
import { featureField, featureTextKey, type GivenFeatures } from '../../domain/own-features.ts';
import type { OwnFeatures, PropertyType } from '../../domain/property.ts';
import { isOwnFeature, RENT_FEATURES } from '../../domain/rent.ts';
import type { Warning } from '../../domain/warning.ts';
import { PlumblineError } from '../../errors.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import {
  isNumber,
  rangeOfFeature,
  summarizeFeature,
  type FeatureSummary,
} from '../../valuation/model/feature-summary.ts';
import { trainingRows } from '../../valuation/model/fit-model.ts';
import { findRecodings } from '../../valuation/model/recoded-features.ts';
import { withEachHome, type ImputedFeature } from '../../valuation/subject.ts';
import type { DescribedBuilding, DescribedSubject, ValuationInput } from '../valuation-types.ts';
import { rangeWarning, ROW_NAMES, type RowName, type TrainedMarket } from './training-warnings.ts';

/** A feature by the rows that a model was trained on. */
interface TrainedFeature extends FeatureSummary {
  /** What the rows are, in messages. */
  readonly row: RowName;
  /** Types for which the model does not use it, because its codes changed their meaning. */
  readonly recodedTypes: () => readonly PropertyType[];
}

/** Columns are replaced with every import. Models of several days share them. */
const remembered = new WeakMap<SaleColumns, Map<Day, readonly TrainedFeature[]>>();

/** The market's own features as its model knows them. */
function ownFeatures(market: TrainedMarket): readonly TrainedFeature[] {
  return trainedFeatures(market).filter(isOwnFeature);
}

function trainedFeatures({ columns, model: { trainedOn } }: TrainedMarket): readonly TrainedFeature[] {
  let ofColumns = remembered.get(columns);
  if (!ofColumns) remembered.set(columns, (ofColumns = new Map()));
  let features = ofColumns.get(trainedOn);
  if (!features) ofColumns.set(trainedOn, (features = readTrainedFeatures(columns, trainedOn)));
  return features;
}

function readTrainedFeatures(columns: SaleColumns, trainedOn: Day): TrainedFeature[] {
  if (columns.features.length === 0) return [];
  const rows = trainingRows(columns, trainedOn);
  return columns.features.map((feature) => {
    let recoded: readonly PropertyType[] | null = null;
    return {
      ...summarizeFeature(feature, rows),
      row: ROW_NAMES[columns.kind],
      // Found when a request states the feature: 15 ms for 30,000 sales.
      recodedTypes: () => (recoded ??= findRecodings(columns, feature, rows).map(({ type }) => type)),
    };
  });
}

/** A feature whose value in the request has the wrong type. */
export interface FeatureProblem {
  /** As the request names it. */
  readonly name: string;
  readonly input: GivenFeatures[string];
}

export const NOT_A_NUMBER = 'must be a number, as in the data of this market';

/** Features whose values have the wrong type. */
export class FeatureError extends PlumblineError {
  readonly problems: readonly FeatureProblem[];

  constructor(problems: readonly FeatureProblem[]) {
    const sentences = problems.map(({ name }) => `${featureField(name)} ${NOT_A_NUMBER}.`);
    super('invalid_feature', sentences.join(' '));
    this.problems = problems;
  }
}

/**
 * The subject with the own features that the request gives. They take precedence over the record, like other
 * details, also those of the other homes that may be meant. A name or a category that the market does not know is a
 * warning, and is treated as not given.
 *
 * @param market null at a place without a market
 * @throws FeatureError for a text in place of a number
 */
export function withGivenFeatures<Subject extends DescribedSubject>(
  subject: Subject,
  market: TrainedMarket | null,
  given: GivenFeatures | undefined,
): Subject {
  if (given === undefined) return subject;
  const known = market === null ? [] : ownFeatures(market);
  const stated: Record<string, string> = {};
  const warnings: Warning[] = [];
  const problems: FeatureProblem[] = [];
  for (const [name, input] of Object.entries(given)) {
    const feature = findByName(known, name);
    const text = feature ? textOf(feature, input) : null;
    if (feature === null) warnings.push(unknownFeature(name, known));
    else if (text !== null) {
      stated[feature.name] = text;
      warnings.push(...unusedWarnings(feature, text, subject.home.type));
    } else if (feature.isNumber) {
      problems.push({ name, input });
    } else warnings.push(unknownValue(feature, input));
  }
  if (problems.length > 0) throw new FeatureError(problems);
  return {
    ...subject,
    home: withEachHome(subject.home, (home) => ({ ...home, features: { ...home.features, ...stated } })),
    givenFeatures: Object.keys(stated),
    warnings: [...subject.warnings, ...warnings],
  };
}

/** Imports find columns without regard to case, too. */
function findByName(known: readonly TrainedFeature[], name: string): TrainedFeature | null {
  const lower = name.trim().toLowerCase();
  return (
    known.find((feature) => feature.name === name) ??
    known.find((feature) => feature.name.toLowerCase() === lower) ??
    null
  );
}

const WORDS_OF = { true: ['true', 'yes', 'y', 't', '1'], false: ['false', 'no', 'n', 'f', '0'] } as const;

/** A given value as the market writes it; null if it is not a number, or none of the categories. */
function textOf(
  { isNumber: isNumeric, levels }: FeatureSummary,
  input: GivenFeatures[string],
): string | null {
  if (isNumeric) {
    const text = typeof input === 'boolean' ? String(Number(input)) : String(input).trim();
    if (!isNumber(text)) return null;
    const value = Number(text);
    return levels.find((level) => isNumber(level) && Number(level) === value) ?? String(value);
  }
  const keys: readonly string[] =
    typeof input === 'boolean' ? WORDS_OF[`${input}`] : [featureTextKey(String(input))];
  return levels.find((level) => keys.includes(featureTextKey(level))) ?? null;
}

/** Why a known feature does not affect the value, or not as far as it should. */
function unusedWarnings(feature: TrainedFeature, text: string, type: PropertyType): Warning[] {
  const { name } = feature;
  const field = featureField(name);
  const warning = feature.isNumber ? rangeWarning(Number(text), rangeOfFeature(feature), feature.row) : null;
  if (warning) return [{ ...warning, field }];
  if (!feature.recodedTypes().includes(type)) return [];
  const message =
    `The codes of ${name} changed their meaning among the ${feature.row}s of this property type, so it does not affect ` +
    'the value.';
  return [{ code: 'feature_recoded', field, message }];
}

/** Furniture and parking that the request states, but of which the model's listings say nothing. */
export function rentFeatureWarnings(
  market: TrainedMarket,
  { home, units, parkingSource }: Pick<DescribedBuilding, 'home' | 'units' | 'parkingSource'>,
): Warning[] {
  const stated = new Map<string, number>();
  if (units.some(({ isFurnished }) => isFurnished)) stated.set(RENT_FEATURES.isFurnished, 1);
  if (parkingSource === 'request') {
    stated.set(RENT_FEATURES.hasParking, Number(home.features[RENT_FEATURES.hasParking]));
  }
  return [...stated].flatMap(([field, value]) => {
    const trained = trainedFeatures(market).find(({ name }) => name === field);
    const warning = rangeWarning(value, trained && rangeOfFeature(trained), ROW_NAMES[market.columns.kind]);
    return warning ? [{ ...warning, field }] : [];
  });
}

/** At most this many names or values are listed in a message. */
const MAX_LISTED = 20;

function listOf(words: readonly string[]): string {
  const listed = words.slice(0, MAX_LISTED).join(', ');
  return words.length > MAX_LISTED ? `${listed}, and ${words.length - MAX_LISTED} more` : listed;
}

function unknownFeature(name: string, known: readonly FeatureSummary[]): Warning {
  const uses =
    known.length === 0 ? 'It uses none.' : `It uses: ${listOf(known.map((feature) => feature.name))}.`;
  const message = `The model of this market uses no feature "${name}", so it was ignored. ${uses}`;
  return { code: 'unknown_feature', field: featureField(name), message };
}

function unknownValue({ name, levels, row }: TrainedFeature, input: GivenFeatures[string]): Warning {
  const message =
    levels.length === 0
      ? `No ${row} has ${name}, so it was treated as unknown.`
      : `No ${row} has the value "${input}" of ${name}, so it was treated as unknown. Values: ${listOf([...levels].sort())}.`;
  return { code: 'unknown_feature_value', field: featureField(name), message };
}

/** The market's own features of a subject, with their sources. */
export function featureInputs(
  market: TrainedMarket,
  { home, givenFeatures = [] }: Pick<DescribedSubject, 'home' | 'givenFeatures'>,
  imputed: readonly ImputedFeature[],
): ValuationInput[] {
  return ownFeatures(market).map((summary): ValuationInput => {
    const { name } = summary;
    const field = featureField(name);
    const known = valueOf(summary, home.features, name);
    if (known !== null) {
      return {
        field,
        value: known,
        source: givenFeatures.includes(name) ? 'request' : 'record',
        support: null,
      };
    }
    const found = imputed.find((feature) => feature.name === name);
    if (!found) return { field, value: null, source: 'default', support: null };
    const value = found.value === null ? null : valueOf(summary, { [name]: found.value }, name);
    return { field, value, source: 'comparables', support: found.support };
  });
}

function valueOf({ isNumber: isNumeric }: FeatureSummary, features: OwnFeatures, name: string) {
  const text = features[name];
  if (text === undefined || text === '') return null;
  return isNumeric && isNumber(text) ? Number(text) : text;
}
