import type { AddressPoint, PostalAddress } from '../../domain/address.ts';
import type { Incident } from '../../domain/crime/incident.ts';
import type { Parcel } from '../../domain/parcel.ts';
import { ATTRIBUTES } from '../../domain/property.ts';
import type { RentListing } from '../../domain/rent.ts';
import type { Sale } from '../../domain/sale.ts';
import { PARCEL_COLUMNS, RENT_COLUMNS, SALE_COLUMNS } from '../../store/record-columns.ts';
import { canonicalRow } from './content-hash.ts';

/** Rows as text, equal where every stored value is equal. */

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

type Canonical = string | number | boolean | null;

function canonicalRecord<Member extends string>(
  columns: readonly { readonly member: Member }[],
  record: Readonly<Record<Member, Canonical>> & Pick<Sale, 'address' | 'attributes' | 'features'>,
): string {
  return canonicalRow(
    [
      ...columns.map(({ member }): Canonical => record[member]),
      ...addressMembers(record.address),
      ...ATTRIBUTES.map((attribute) => record.attributes[attribute]),
    ],
    record.features,
  );
}

export function canonicalAddressPoint(point: AddressPoint): string {
  return canonicalRow([...addressMembers(point.address), point.lat, point.lon, point.parcelId], {});
}

export function canonicalIncident(incident: Incident): string {
  const { occurred, persons } = incident;
  return canonicalRow(
    [
      incident.id,
      incident.referenceId,
      incident.agency,
      occurred?.text ?? null,
      incident.lat,
      incident.lon,
      incident.offenseCode,
      incident.offenseText,
      incident.address,
      ...(persons === null
        ? []
        : [
            persons.victimSex,
            persons.victimRace,
            persons.victimAgeGroup,
            persons.offenderSex,
            persons.offenderRace,
            persons.offenderAgeGroup,
          ]),
    ],
    {},
  );
}

function addressMembers({ street, city, stateCode, postalCode }: PostalAddress): string[] {
  return [street, city, stateCode, postalCode];
}
