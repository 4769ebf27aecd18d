import type { GivenFeatures } from '../../domain/own-features.ts';
import { ATTRIBUTES, attributesOf, type Attributes, type PropertyType } from '../../domain/property.ts';
import type { Home } from '../../valuation/subject.ts';
import type { ActiveMarket } from '../market-data/markets.ts';
import type { DescribedSubject, PropertyInputs, RecordOfSubject } from '../valuation-types.ts';
import { withGivenFeatures } from '../valuation/own-features.ts';
import { describeSubject, recordedTypeWarnings } from './gather-property-inputs.ts';
import type { SubjectRecord } from './subject-record.ts';

/** Corrected facts of a home; null = not corrected. */
export interface CorrectedFacts {
  readonly propertyType: PropertyType | null;
  readonly attributes: Attributes;
  readonly features?: GivenFeatures;
}

/** Warnings that follow from the facts and are made again with the corrected ones. */
const OF_FACTS: ReadonlySet<string> = new Set([
  'property_type_assumed',
  'units_unknown',
  'zero_taken_as_unknown',
]);

/**
 * The inputs with corrected facts, as if the first request had given them: only the facts change, not the record, the
 * place, the model or the data.
 *
 * @throws FeatureError for a text in place of a number
 */
export function correctFacts(
  market: ActiveMarket,
  inputs: PropertyInputs,
  facts: CorrectedFacts,
): Pick<PropertyInputs, 'subject' | 'warnings'> {
  const { subject } = inputs;
  const { home, sources } = subject;
  const { defaultType, ...record } = inputs.record ?? recordOf(subject);
  const given = ATTRIBUTES.map((attribute) => [
    attribute,
    facts.attributes[attribute] ?? (sources[attribute] === 'request' ? home.attributes[attribute] : null),
  ]);
  const request = {
    propertyType: facts.propertyType ?? (subject.typeSource === 'request' ? home.type : null),
    attributes: attributesOf(Object.fromEntries(given)),
  };
  const described = describeSubject(request, recordWith(record, home), home, defaultType);
  const corrected: Record<string, number> = {};
  for (const attribute of ATTRIBUTES) {
    const value = facts.attributes[attribute];
    if (value !== null) corrected[attribute] = value;
  }
  const alternatives = home.alternatives?.map((other) => ({
    ...other,
    home: { ...other.home, attributes: { ...other.home.attributes, ...corrected } },
  }));
  const { typicalAreaSqft } = home;
  const kept = subject.warnings.filter(({ code }) => !OF_FACTS.has(code));
  const withHome: DescribedSubject = {
    ...described,
    home: {
      ...described.home,
      ...(typicalAreaSqft === undefined ? {} : { typicalAreaSqft }),
      ...(alternatives ? { alternatives } : {}),
    },
    ...(subject.givenFeatures ? { givenFeatures: subject.givenFeatures } : {}),
    warnings: [...described.warnings, ...kept],
  };
  const featured = withGivenFeatures(withHome, market, facts.features);
  const others = inputs.warnings.filter(({ code }) => code !== 'type_differs_from_record');
  return {
    subject: {
      ...featured,
      ...(featured.givenFeatures
        ? { givenFeatures: [...new Set([...(subject.givenFeatures ?? []), ...featured.givenFeatures])] }
        : {}),
    },
    warnings: [...others, ...recordedTypeWarnings(described)],
  };
}

/** What the record says, of a valuation that was stored without it. Figures on which it agrees with the request are lost. */
function recordOf({ home, typeSource, sources }: DescribedSubject): RecordOfSubject {
  const attributes = Object.fromEntries(
    ATTRIBUTES.filter((attribute) => sources[attribute] === 'record').map((attribute) => [
      attribute,
      home.attributes[attribute],
    ]),
  );
  const isOfRecord = typeSource === 'record';
  return {
    type: isOfRecord ? home.type : (home.recorded?.type ?? null),
    attributes: { ...attributes, ...home.recorded?.attributes },
    defaultType: typeSource === 'default' ? home.type : 'houses',
  };
}

/** A stored record as a record, with the features of the home. */
function recordWith(
  { type, attributes, otherSource }: Omit<RecordOfSubject, 'defaultType'>,
  { features }: Pick<Home, 'features'>,
): SubjectRecord {
  const known = { type, attributes: attributesOf(attributes), features };
  if (!otherSource) return known;
  const other = { type: otherSource.type, attributes: attributesOf(otherSource.attributes), features };
  return { ...known, otherSource: other };
}
