import { request } from './request.ts';

/** An address that is loaded, and where. */
export interface LoadedAddress {
  readonly address: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly market: string;
}

/** Loaded addresses that begin as the text does, best first. */
export async function completeAddress(
  query: string,
  signal?: AbortSignal,
): Promise<readonly LoadedAddress[]> {
  const { addresses } = await request<{ readonly addresses: readonly LoadedAddress[] }>('GET', '/addresses', {
    query: { query, limit: 8 },
    signal,
  });
  return addresses;
}
