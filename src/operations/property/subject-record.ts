import { attributesOf, type Attributes, type OwnFeatures, type PropertyType } from '../../domain/property.ts';

/** The public record of the subject on the as-of date; empty if there is none. */
export interface SubjectRecord {
  readonly type: PropertyType | null;
  readonly attributes: Attributes;
  readonly features: OwnFeatures;
  /** The newest source that has another type. */
  readonly otherSource?: SubjectRecord;
}

export const NO_RECORD: SubjectRecord = { type: null, attributes: attributesOf({}), features: {} };

/** Whether the record describes a building of several units, not one home. */
export function isBuilding({ type, attributes: { totalUnits } }: SubjectRecord): boolean {
  if (type === 'small_multifamily' || type === 'multifamily') return true;
  return type !== 'condos' && type !== 'townhomes' && totalUnits !== null && totalUnits >= 2;
}
