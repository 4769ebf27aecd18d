import { request } from './request.ts';

export interface Extent {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** What every page needs to know of this installation. */
export interface ConsoleSettings {
  readonly version: string;
  readonly map_tiles_url: string | null;
  readonly is_sample: boolean;
  readonly extent: Extent | null;
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
