/** Checks of a whole file. `--accept NAME` loads a file that fails one. */
export const CHECKS = [
  'ambiguous_dates',
  'mixed_dates',
  'placeholder_dates',
  'ambiguous_numbers',
  'mixed_numbers',
  'unlikely_units',
  'bath_notation',
  'half_baths_not_read',
  'missing_columns',
  'swapped_coordinates',
  'wrong_sign',
  'projected_coordinates',
  'degrees_minutes_seconds',
  'far_coordinates',
  'shared_coordinates',
  'rounded_ids',
  'shared_parcel_ids',
  'garbled_text',
  'other_sheets',
  'changed_prices',
  'most_rows_flagged',
  'recoded_feature',
] as const;

export type Check = (typeof CHECKS)[number];

/** What a check found. */
export interface Finding {
  readonly check: Check;
  /** A sentence that names the file. */
  readonly message: string;
  readonly column: string | null;
  /** Rows concerned. */
  readonly count: number;
  /** Up to three. */
  readonly examples: readonly string[];
  readonly remedy: string;
  /** For a missing column: the column of the file that may be it. */
  readonly likely?: string;
  /** Whether nothing is loaded unless the operator accepts the check. Others are reported only. */
  readonly isBlocking: boolean;
}

/** Fewer rows than this share are reported, and do not stop an import. */
const BLOCKING_SHARE = 0.001;

export function isCommon(count: number, rows: number): boolean {
  return count > 0 && count >= BLOCKING_SHARE * rows;
}

export function describeFinding({ check, message, examples, remedy, isBlocking }: Finding): string {
  const shown = examples.length > 0 ? ` Such as ${examples.join('; ')}.` : '';
  return `${check}: ${message}${shown} ${remedy}${isBlocking ? ` To load it as it is: --accept ${check}.` : ''}`;
}

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_CHARACTERS = 60;

/** Counts rows, with the first three different ones as examples. */
export function createTally() {
  const examples = new Set<string>();
  let count = 0;
  return {
    add(text: string, line: number | null = null): void {
      count++;
      if (examples.size >= MAX_EXAMPLES) return;
      const shown = text
        .slice(0, MAX_EXAMPLE_CHARACTERS)
        .replaceAll(/\p{Cc}/gu, ' ')
        .trim();
      examples.add(line === null ? shown : `${shown} (line ${line})`);
    },
    count: () => count,
    examples: () => [...examples],
  };
}
