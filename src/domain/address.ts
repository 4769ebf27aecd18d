/** An address in its parts as published; empty text where unknown. `street` is number, street and unit: "2263 N LAKE DR #3". */
export interface PostalAddress {
  readonly street: string;
  readonly city: string;
  readonly stateCode: string;
  readonly postalCode: string;
}

/** One row of the address index: an address that can be located. */
export interface AddressPoint {
  readonly address: PostalAddress;
  readonly lat: number;
  readonly lon: number;
  readonly parcelId: string | null;
}
