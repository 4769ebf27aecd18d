import type { Day } from '../domain/day.ts';
import type { Attributes, OwnFeatures, PropertyType } from '../domain/property.ts';

/** A home at a place. Attributes may be unknown (null). */
export interface Home {
  readonly lat: number;
  readonly lon: number;
  readonly type: PropertyType;
  readonly attributes: Attributes;
  readonly features: OwnFeatures;
  /** Its own sales are never its neighbors or comparables; one closed well before the value date may tell the model what attributes do not. */
  readonly parcelId: string | null;
}

/**
 * When a value is asked for. `asOf` is the value date; nothing known after `knownBy` is used. They are the
 * same day in service; a frozen backtest holds `knownBy` at the cut.
 */
export interface Moment {
  readonly asOf: Day;
  readonly knownBy: Day;
}

/**
 * The subject after completion: one variant where every attribute the model pays for is known, else one per
 * neighboring home whose attributes fill the gaps (valuation.md: the value is the mean over them, and their
 * spread widens the interval). Weights sum to 1.
 */
export interface ImputedSubject {
  readonly home: Home;
  readonly variants: readonly { readonly home: Home; readonly weight: number }[];
  readonly inputs: readonly SubjectInput[];
  /** Amenities that only rents have and nobody told of, as most of the neighbors have them. */
  readonly imputedFeatures: readonly ImputedFeature[];
}

export interface ImputedFeature {
  readonly name: string;
  /** null where no neighbor tells either. */
  readonly value: string | null;
  /** How many neighbors the value rests on. */
  readonly support: number;
}

export interface SubjectInput {
  readonly attribute: keyof Attributes;
  /** What the variants hold on average (mode for yes/no and counts); null where nothing is known nearby either. */
  readonly value: number | null;
  readonly source: 'request' | 'record' | 'comparables' | 'default';
  /** How many neighbors the value rests on; null for request and record. */
  readonly support: number | null;
}
