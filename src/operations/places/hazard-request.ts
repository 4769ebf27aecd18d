import type { Warning } from '../../domain/warning.ts';
import type { LocationRequest } from '../../locate/located.ts';
import { CREDITS } from '../credits.ts';

/** The request of the fire and flood operations: a place. */
export interface HazardRequest {
  readonly location: LocationRequest;
  readonly warnings: readonly Warning[];
}

/** The cost of either operation. A dry run returns this number. */
export function hazardCreditsMax(): number {
  return CREDITS.hazard;
}
