import { hash } from 'node:crypto';
import type { AddressPoint, PostalAddress } from '../../domain/address.ts';
import type { Incident } from '../../domain/crime/incident.ts';
import type { Parcel } from '../../domain/parcel.ts';
import { ATTRIBUTES } from '../../domain/property.ts';
import type { RentListing } from '../../domain/rent.ts';
import type { Sale } from '../../domain/sale.ts';
import { PARCEL_COLUMNS, RENT_COLUMNS, SALE_COLUMNS } from '../../store/record-columns.ts';

export type ContentHash = ReturnType<typeof createContentHash>;

/**
 * Hash of a set of rows in any order. Sums the SHA-256 of each row in eight lanes modulo 2³²: equal for equal rows in any order, counting repeats. It
 * detects unchanged files. It is not secure against files made to collide.
 */
export function createContentHash() {
  const lanes = new Uint32Array(8);
  let rows = 0;
  return {
    add(canonicalRow: string): void {
      const digest = hash('sha256', canonicalRow, 'buffer');
      for (let lane = 0; lane < 8; lane++) lanes[lane] += digest.readUInt32LE(lane * 4);
      rows++;
    },
    digest: () => `${rows}-${[...lanes].map((lane) => lane.toString(16).padStart(8, '0')).join('')}`,
  };
}

export function hashRows<Row>(rows: Iterable<Row>, canonical: (row: Row) => string): string {
  const contentHash = createContentHash();
  for (const row of rows) contentHash.add(canonical(row));
  return contentHash.digest();
}

type Canonical = string | number | boolean | null;

/** A row as text, equal for equal rows: members in a fixed order, features by name. */
function canonicalRow(members: readonly Canonical[], features: Readonly<Record<string, string>>): string {
  const names = Object.keys(features).sort();
  return JSON.stringify([members, names.map((name) => [name, features[name]])]);
}

function canonicalRecord<Member extends string>(
  columns: readonly { readonly member: Member }[],
  record: Readonly<Record<Member, Canonical>> & Pick<Sale, 'address' | 'attributes' | 'features'>,
): string {
  const members = [
    ...columns.map(({ member }): Canonical => record[member]),
    ...addressMembers(record.address),
    ...ATTRIBUTES.map((attribute) => record.attributes[attribute]),
  ];
  return canonicalRow(members, record.features);
}

function addressMembers({ street, city, stateCode, postalCode }: PostalAddress): string[] {
  return [street, city, stateCode, postalCode];
}

export function canonicalSale(sale: Sale): string {
  return canonicalRecord(SALE_COLUMNS, sale);
}

export function canonicalRent(listing: RentListing): string {
  return canonicalRecord(RENT_COLUMNS, listing);
}

const UNDATED_PARCEL_COLUMNS = PARCEL_COLUMNS.filter((column) => column.member !== 'asOf');

/** Without the date of the record, which the import may have set. */
export function canonicalUndatedParcel(parcel: Omit<Parcel, 'asOf'>): string {
  return canonicalRecord(UNDATED_PARCEL_COLUMNS, parcel);
}

export function canonicalParcel(parcel: Parcel): string {
  return `${parcel.asOf} ${canonicalUndatedParcel(parcel)}`;
}

export function canonicalAddressPoint({ address, lat, lon, parcelId }: AddressPoint): string {
  return canonicalRow([...addressMembers(address), lat, lon, parcelId], {});
}

const INCIDENT_MEMBERS = ['lat', 'lon', 'offenseCode', 'offenseText', 'address'] as const;
const PERSON_MEMBERS = [
  'victimSex',
  'victimRace',
  'victimAgeGroup',
  'offenderSex',
  'offenderRace',
  'offenderAgeGroup',
] as const;

export function canonicalIncident(incident: Incident): string {
  const { id, referenceId, agency, occurred, persons } = incident;
  const members = [
    id,
    referenceId,
    agency,
    occurred?.text ?? null,
    ...INCIDENT_MEMBERS.map((member) => incident[member]),
    ...(persons ? PERSON_MEMBERS.map((member) => persons[member]) : []),
  ];
  return canonicalRow(members, {});
}
