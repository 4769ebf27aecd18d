import type { Warning } from '../../domain/warning.ts';
import type { LocationRequest } from '../../locate/located.ts';
import { CREDITS } from '../credits.ts';

/** What the operations on fire and flood are asked: a place. */
export interface HazardRequest {
  readonly location: LocationRequest;
  readonly warnings: readonly Warning[];
}

/** What either costs: what a dry run answers. */
export function hazardCreditsMax(): number {
  return CREDITS.hazard;
}
