import { Type } from 'typebox';
import { answer } from '../../../schemas/response-object.ts';

/** More would not be looked through while typing. */
export const MOST_SUGGESTIONS = 20;

export const AddressesQuery = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 200, description: 'An address as far as it is typed.' }),
    limit: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 1,
        maximum: MOST_SUGGESTIONS,
        default: 8,
        description: 'How many at most.',
      }),
    ),
  },
  { title: 'AddressesQuery' },
);

const LoadedAddressBody = answer('LoadedAddress', {
  address: Type.String(),
  latitude: Type.Number(),
  longitude: Type.Number(),
  market: Type.String(),
});

export const AddressesBody = answer('LoadedAddresses', {
  addresses: Type.Array(LoadedAddressBody, { description: 'Best first; empty where none begins so.' }),
});
