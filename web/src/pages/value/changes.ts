import type { ChallengeRequest } from '../../api/challenges.ts';
import type { Fields } from './value-request.ts';
import { fieldsBody } from './value-request.ts';

type Chosen = NonNullable<ChallengeRequest['comparables']>;
export type SaleToAdd = NonNullable<Chosen['added']>[number];
export type Override = NonNullable<ChallengeRequest['adjustments']>[number];
export type Renovation = NonNullable<ChallengeRequest['renovations']>[number];

/** What the user changed besides the facts of the home. */
export interface Changes {
  readonly pinned: readonly string[];
  /** The reason of each excluded sale. */
  readonly excluded: Readonly<Record<string, string>>;
  readonly added: readonly SaleToAdd[];
  readonly overrides: readonly Override[];
  readonly isOnlyPinned: boolean;
  readonly renovations: readonly Renovation[];
}

export const NO_CHANGES: Changes = {
  pinned: [],
  excluded: {},
  added: [],
  overrides: [],
  isOnlyPinned: false,
  renovations: [],
};

/** The id of an added sale begins with it. */
const ADDED = 'added-';

/** A reason is required: the one of a sale for which the user writes none. */
const FIRST_REASON = 'Not comparable';

export function hasChanges({ excluded, ...changes }: Changes): boolean {
  const { pinned, added, overrides, renovations } = changes;
  return [pinned, Object.keys(excluded), added, overrides, renovations].some((list) => list.length > 0);
}

/** The excluded sales without a reason of the user. */
export function withoutReason({ excluded }: Changes): string[] {
  return Object.keys(excluded).filter((id) => writtenReason(excluded[id]) === '');
}

/** Blank if it is the one that is saved for a blank one. */
export function writtenReason(reason: string): string {
  return reason.trim() === FIRST_REASON ? '' : reason.trim();
}

/** A sale of the market that was added by its id counts as pinned. */
export function isPinned({ pinned, added }: Changes, id: string): boolean {
  return pinned.includes(id) || added.some(({ comp_id }) => comp_id === id);
}

export function withPin(changes: Changes, id: string, isToPin: boolean): Changes {
  const { pinned, ...others } = withoutPin(withoutExclusion(changes, id), id);
  return { ...others, pinned: isToPin ? [...pinned, id] : pinned };
}

function withoutPin(changes: Changes, id: string): Changes {
  return {
    ...changes,
    pinned: changes.pinned.filter((each) => each !== id),
    added: changes.added.filter(({ comp_id }) => comp_id !== id),
  };
}

/** An excluded sale is neither pinned nor adjusted. */
export function withExclusion(changes: Changes, id: string, reason = ''): Changes {
  return {
    ...withoutPin(changes, id),
    overrides: changes.overrides.filter(({ comp_id }) => comp_id !== id),
    excluded: { ...changes.excluded, [id]: reason },
  };
}

export function withoutExclusion(changes: Changes, id: string): Changes {
  const { [id]: _, ...excluded } = changes.excluded;
  return { ...changes, excluded };
}

/** The lines of one sale, instead of those before. It is pinned, so that it stays a comparable when facts change. */
export function withOverrides(changes: Changes, id: string, lines: readonly Override[]): Changes {
  const others = changes.overrides.filter(({ comp_id }) => comp_id !== id);
  const isToPin = lines.length > 0 && !id.startsWith(ADDED) && !isPinned(changes, id);
  const kept = isToPin ? withPin(changes, id, true) : changes;
  return { ...kept, overrides: [...others, ...lines] };
}

/** More lines of one sale. Its other lines stay as they were adjusted before. */
export function withAdjusted(changes: Changes, id: string, lines: readonly Override[]): Changes {
  const adjusted = new Set(lines.map(({ field }) => field));
  const before = changes.overrides.filter(({ comp_id, field }) => comp_id === id && !adjusted.has(field));
  return withOverrides(changes, id, [...before, ...lines]);
}

/** The address of an added sale, or its coordinates. */
export function placeOfAdded(sale: SaleToAdd | undefined): string {
  return sale?.address ?? [sale?.latitude, sale?.longitude].filter((one) => one !== undefined).join(', ');
}

/** Another added sale, or one instead of that at a position, which keeps its id and so its overrides. */
export function withAdded(changes: Changes, at: number, sale: SaleToAdd): Changes {
  return { ...changes, added: changes.added.toSpliced(at, 1, sale) };
}

/** The ids of added sales are their numbers, so overrides of added sales end with any of them. */
export function withoutAdded(changes: Changes, at: number): Changes {
  return {
    ...changes,
    added: changes.added.toSpliced(at, 1),
    overrides: changes.overrides.filter(({ comp_id }) => !comp_id.startsWith(ADDED)),
  };
}

/** Another renovation, or one instead of that at a position. */
export function withRenovation(changes: Changes, at: number, renovation: Renovation): Changes {
  return { ...changes, renovations: changes.renovations.toSpliced(at, 1, renovation) };
}

export function withoutRenovation(changes: Changes, at: number): Changes {
  return { ...changes, renovations: changes.renovations.toSpliced(at, 1) };
}

/** The request. `fields` are the facts of the home that the user corrected. */
export function challengeBody(changes: Changes, fields: Fields): ChallengeRequest {
  const { pinned, excluded, added, overrides, isOnlyPinned, renovations } = changes;
  return {
    ...(Object.keys(fields).length > 0 ? { property_fields: fieldsBody(fields) } : {}),
    comparables: {
      pinned: pinned.map((comp_id) => ({ comp_id })),
      excluded: Object.entries(excluded).map(([comp_id, reason]) => ({
        comp_id,
        reason: reason.trim() || FIRST_REASON,
      })),
      added: [...added],
      only_pinned: isOnlyPinned && pinned.length + added.length > 0,
    },
    adjustments: [...overrides],
    renovations: [...renovations],
  };
}
