import { hash } from 'node:crypto';

/** Hash of a set of rows in any order, added over any number of calls. */
export interface ContentHash {
  readonly add: (canonicalRow: string) => void;
  readonly digest: () => string;
}

/**
 * Sums the SHA-256 of each row in eight lanes modulo 2³²: equal for equal rows in any order, counting repeats. It
 * detects unchanged files. It is not secure against files made to collide.
 */
export function createContentHash(): ContentHash {
  const lanes = new Uint32Array(8);
  let rows = 0;
  return {
    add(canonicalRow) {
      const digest = hash('sha256', canonicalRow, 'buffer');
      for (let lane = 0; lane < 8; lane++) lanes[lane] += digest.readUInt32LE(lane * 4);
      rows++;
    },
    digest: () => `${rows}-${[...lanes].map((lane) => lane.toString(16).padStart(8, '0')).join('')}`,
  };
}

/** A row as text, equal for equal rows: members in a fixed order, features by name. */
export function canonicalRow(
  members: readonly (string | number | boolean | null)[],
  features: Readonly<Record<string, string>>,
): string {
  const names = Object.keys(features).sort();
  return JSON.stringify([members, names.map((name) => [name, features[name]])]);
}
