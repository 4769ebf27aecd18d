import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { ApiDeps } from '../../route.ts';
import { completeAddress } from '../../../operations/complete-address.ts';
import { readAsked } from '../../request/read-http-request.ts';
import { createRequestReader } from '../../request/read-request.ts';
import { AddressesQuery, type AddressesBody } from '../schemas/addresses.ts';

const FEW = 8;

const addressesRequest = createRequestReader<typeof AddressesQuery, { query: string; limit: number }>({
  schema: AddressesQuery,
  check: () => [],
  make: ({ query, limit }) => ({ query, limit: limit ?? FEW }),
});

/** What somebody who is typing an address may mean. */
export async function getAddresses(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof AddressesBody>> {
  const { query, limit } = readAsked(deps, request, reply, addressesRequest);
  const found = await completeAddress(deps.operations, query, limit);
  return {
    addresses: found.map(({ formattedAddress, latitude, longitude, marketId }) => ({
      address: formattedAddress,
      latitude,
      longitude,
      market: marketId,
    })),
  };
}
