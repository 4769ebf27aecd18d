import type { PostalAddress } from '../../domain/address.ts';
import type { Day } from '../../domain/day.ts';
import type { Attributes, PropertyType } from '../../domain/property.ts';
import type { Block } from './town/lots.ts';
import type { PlanePoint } from './town/terrain.ts';

/** One home (or building sold whole) of the generated town, with what no imported file tells of it. */
export interface SampleParcel {
  readonly index: number;
  readonly parcelId: string;
  readonly address: PostalAddress;
  readonly point: PlanePoint;
  readonly lat: number;
  readonly lon: number;
  readonly type: PropertyType;
  /** Index into NEIGHBOURHOODS. */
  readonly neighbourhood: number;
  readonly blockId: number;
  /** Condominium building, townhome complex, apartment house or park it belongs to; its own id otherwise. */
  readonly groupId: string;
  /** True attributes; `condition` is null here because it changes with time: see `conditionOn`. */
  readonly attributes: Attributes;
  /** Lives in it: floor of a condominium, 1 elsewhere. */
  readonly floor: number;
  /** What buyers see and no record holds, added to ln(value): the home's own and its group's. */
  readonly unseenQuality: number;
  readonly groupQuality: number;
  /** How fast it wears, about 1. */
  readonly wear: number;
  /** Days on which it was as new or renovated, first to last; some lie after the county's as-of date. */
  readonly renewedOn: readonly Day[];
}

/** Why a generated sale is what it is. All but 'market' and 'flip_second_leg' are traps for a naive model. */
export const SALE_KINDS = [
  'market',
  'family',
  'foreclosure',
  'bundle',
  'flip_first_leg',
  'flip_second_leg',
  'typo',
] as const;

export type SaleKind = (typeof SALE_KINDS)[number];

export interface SampleSale {
  readonly recordId: string;
  readonly parcel: SampleParcel;
  readonly soldOn: Day;
  readonly recordedOn: Day;
  readonly priceUsd: number;
  readonly kind: SaleKind;
  /** The same deed recorded a second time under another id. */
  readonly isDuplicate: boolean;
  /** What the record says; null = not said. */
  readonly isArmsLength: boolean | null;
  /** Attributes as recorded: condition rounded, some missing. */
  readonly recorded: Attributes;
}

export interface SampleRent {
  readonly recordId: string;
  readonly parcel: SampleParcel;
  readonly unit: string;
  readonly listedOn: Day;
  readonly lastSeenOn: Day;
  readonly rentUsd: number;
  readonly bedrooms: number;
  readonly bathrooms: number;
  readonly sizeSqft: number | null;
  readonly isFurnished: boolean;
  readonly hasLaundry: boolean;
  readonly hasParking: boolean;
  readonly hasCentralAir: boolean;
}

export interface SampleCounty {
  readonly seed: number;
  readonly asOf: Day;
  readonly blocks: readonly Block[];
  readonly parcels: readonly SampleParcel[];
  /** Of the five years up to `asOf`, recorded by then, in order of recording. */
  readonly sales: readonly SampleSale[];
  readonly rents: readonly SampleRent[];
}
