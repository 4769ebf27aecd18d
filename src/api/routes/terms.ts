import type { ErrorCode } from '../../errors.ts';

/** Of a valuation whose subject is nowhere, or where nothing is known. */
export const UNLOCATED: readonly ErrorCode[] = ['address_not_found', 'outside_coverage', 'insufficient_data'];

/** What costs nothing, and has no problems of its own. */
export const FREE = { credits: '0', problems: [] } as const;
