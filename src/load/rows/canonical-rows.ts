import type { AddressPoint, PostalAddress } from '../../domain/address.ts';
import type { Incident } from '../../domain/crime/incident.ts';
import type { Parcel } from '../../domain/parcel.ts';
import { ATTRIBUTES, type Attributes } from '../../domain/property.ts';
import type { RentListing } from '../../domain/rent.ts';
import type { Sale } from '../../domain/sale.ts';
import { canonicalRow } from './content-hash.ts';

/** Rows as text that is equal where every stored value is. */

export function canonicalSale(sale: Sale): string {
  return canonicalRow(
    [
      sale.recordId,
      sale.parcelId,
      sale.soldOn,
      sale.recordedOn,
      sale.datePrecision,
      sale.priceUsd,
      ...addressMembers(sale.address),
      sale.lat,
      sale.lon,
      sale.type,
      sale.isArmsLength,
      ...attributeMembers(sale.attributes),
    ],
    sale.features,
  );
}

export function canonicalRent(listing: RentListing): string {
  return canonicalRow(
    [
      listing.recordId,
      listing.parcelId,
      listing.listedOn,
      listing.lastSeenOn,
      listing.datePrecision,
      listing.rentUsd,
      ...addressMembers(listing.address),
      listing.lat,
      listing.lon,
      listing.type,
      listing.isFurnished,
      listing.hasParking,
      ...attributeMembers(listing.attributes),
    ],
    listing.features,
  );
}

/** Without the day the record describes, which an import may have given it. */
export function canonicalUndatedParcel(parcel: Omit<Parcel, 'asOf'>): string {
  return canonicalRow(
    [
      parcel.parcelId,
      ...addressMembers(parcel.address),
      parcel.lat,
      parcel.lon,
      parcel.type,
      ...attributeMembers(parcel.attributes),
    ],
    parcel.features,
  );
}

export function canonicalParcel(parcel: Parcel): string {
  return `${parcel.asOf} ${canonicalUndatedParcel(parcel)}`;
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
      incident.offenceCode,
      incident.offenceText,
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

function attributeMembers(attributes: Attributes): (number | null)[] {
  return ATTRIBUTES.map((attribute) => attributes[attribute]);
}
