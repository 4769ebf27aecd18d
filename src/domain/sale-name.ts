export interface NamedSale {
  readonly id: string;
  readonly street: string | null;
  /** All known parts of the address: some markets publish the ZIP code alone. */
  readonly address: string | null;
  /** Of a sale that a user added, whose id is only its position. Null for the market's own sales. */
  readonly addedAt: { readonly latitude: number; readonly longitude: number } | null;
}

/** An id that the import made of home, date and price (src/load/collect-records.ts); lists have columns for the last two. */
const MADE_ID = /^(.+)\/\d{4}-\d\d-\d\d\/\d+(?:\/\d+)?$/;

/**
 * What a sale is called in lists and reports: its street address, or what tells it from its neighbors.
 *
 * `4 Oak St`; `98074 (9830214075)`; `47.6101, -122.0312` of an added one
 */
export function saleName({ id, street, address, addedAt }: NamedSale): string {
  if (street !== null) return street;
  // A number before a word: `4 Oak St, 98074`, but not `Seattle, WA 98074`.
  if (address !== null && /\d\S*\s+\S/.test(address)) return address;
  if (addedAt) return address ?? `${addedAt.latitude}, ${addedAt.longitude}`;
  const home = MADE_ID.exec(id)?.[1] ?? id;
  return address === null ? home : `${address} (${home})`;
}
