/** An address as published; '' if unknown. `street` has number and unit: "2263 N LAKE DR #3". */
export interface PostalAddress {
  readonly street: string;
  readonly city: string;
  readonly stateCode: string;
  readonly postalCode: string;
}

export interface AddressPoint {
  readonly address: PostalAddress;
  readonly lat: number;
  readonly lon: number;
  readonly parcelId: string | null;
}
