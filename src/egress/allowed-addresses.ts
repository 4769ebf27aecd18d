import type { LookupAddress } from 'node:dns';
import type { AddressRule } from './address-rule.ts';
import { addressRejection } from './outbound-url.ts';

/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** The guard rejected the address; the message is a sentence for the caller. */
export class RejectedAddressError extends Error {
  override readonly name = 'RejectedAddressError';
}

/** The addresses of a name, if all of them are allowed. One forbidden address makes the others suspect. */
export async function allowedAddresses(
  rule: AddressRule,
  host: string,
  port: number,
  resolve: Resolve,
): Promise<readonly LookupAddress[]> {
  const addresses = await resolve(host);
  if (addresses.length === 0) throw new RejectedAddressError(`${host} has no address.`);
  if (!addresses.every(({ address }) => rule.mayConnect(address, port))) {
    throw new RejectedAddressError(addressRejection(host));
  }
  return addresses;
}
