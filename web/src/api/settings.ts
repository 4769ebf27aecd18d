import { request } from './request.ts';

export interface Extent {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The ground that a market covers. */
export interface MarketExtent {
  readonly id: string;
  readonly extent: Extent;
}

/** What every page needs to know of this installation. */
export interface ConsoleSettings {
  readonly version: string;
  readonly map_tiles_url: string | null;
  readonly is_sample: boolean;
  /** Most sales first. */
  readonly markets: readonly MarketExtent[];
}

let known: Promise<ConsoleSettings> | null = null;

/** Asked once for as long as the page is open; a refusal is forgotten. */
export function readSettings(): Promise<ConsoleSettings> {
  known ??= request<ConsoleSettings>('GET', '/settings').catch((error: unknown) => {
    known = null;
    throw error;
  });
  return known;
}
