import type { Day } from '../domain/day.ts';
import type { Attribute, Attributes, OwnFeatures, PropertyType } from '../domain/property.ts';

/** A home at a place. Attributes may be unknown (null). */
export interface Home {
  readonly lat: number;
  readonly lon: number;
  readonly type: PropertyType;
  readonly attributes: Attributes;
  readonly features: OwnFeatures;
  /**
   * Sales of the same parcel are never comparables or spatial-lag neighbors. A sale that closed
   * well before the as-of date is a model feature.
   */
  readonly parcelId: string | null;
  /**
   * Average area of the units in the building of a unit whose own area is unknown. Its donors are of similar size; it
   * is not used as the area itself.
   */
  readonly typicalAreaSqft?: number;
  /** What the public record says instead, where the request or an older record differs from it. */
  readonly recorded?: { readonly type: PropertyType; readonly attributes: Partial<Attributes> };
  /** Homes that the request may mean instead: the spread of their values widens the interval. */
  readonly alternatives?: readonly Alternative[];
}

interface Alternative {
  readonly home: Home;
  readonly probability: number;
}

/** A home with a change, made to its alternatives too. */
export function withEachHome(home: Home, change: (home: Home) => Home): Home {
  const changed = change(home);
  const alternatives = home.alternatives?.map((other) => ({ ...other, home: change(other.home) }));
  return alternatives ? { ...changed, alternatives } : changed;
}

/**
 * When a home is valued. `asOf` is the as-of date; nothing recorded after `knownBy` is used. They
 * are the same day in service; a frozen backtest keeps `knownBy` at its training day.
 */
export interface Moment {
  readonly asOf: Day;
  readonly knownBy: Day;
}

/**
 * The subject after imputation: one variant where every attribute that the model uses is known,
 * else one per donor, whose attributes fill the gaps. The value is the mean over the variants, and
 * their spread widens the interval (docs/methods/intervals-and-comparables.md). Weights sum to 1.
 */
export interface ImputedSubject {
  readonly home: Home;
  readonly variants: readonly { readonly home: Home; readonly weight: number }[];
  /** Whether donors say what is unknown, even if they agree on one variant. */
  readonly isImputed: boolean;
  readonly inputs: readonly SubjectInput[];
  /** Unknown features, set to what most donors have. */
  readonly imputedFeatures: readonly ImputedFeature[];
  /** Known attributes that are not used, because hardly any home of the type has them on record. */
  readonly unused: readonly Attribute[];
}

export interface ImputedFeature {
  readonly name: string;
  /** null where no donor has a value either. */
  readonly value: string | null;
  /** Number of donors with a value. */
  readonly support: number;
}

export interface SubjectInput {
  readonly attribute: keyof Attributes;
  /** Mean over the variants, or the mode for yes/no and counts; null if no donor has a value. */
  readonly value: number | null;
  readonly source: 'request' | 'record' | 'comparables' | 'default';
  /** Number of donors with a value; null for request and record. */
  readonly support: number | null;
}
