import { propertyTypeOf } from '../../domain/property-type-words.ts';
import { unreadColumn, type Finding } from './finding.ts';

/** Columns with at least this share of known property types are types of homes. */
const TYPE_SHARE = 0.5;
/** Rows that are looked at. */
const MAX_ROWS = 10_000;
const MAX_EXAMPLES = 3;

/**
 * Finds property types in a column that is not read. Without types, condominiums and mobile homes would be loaded as
 * houses.
 */
export function createTypeCheck(file: string, header: readonly string[], unread: readonly string[]) {
  const candidates = unread.map((name) => ({
    name,
    position: header.indexOf(name),
    known: 0,
    filled: 0,
    words: new Set<string>(),
    types: new Set<string>(),
  }));
  let rows = 0;
  return {
    add(cells: readonly string[]): void {
      if (rows++ >= MAX_ROWS) return;
      for (const candidate of candidates) {
        const text = (cells[candidate.position] ?? '').trim();
        if (text === '') continue;
        candidate.filled++;
        const type = propertyTypeOf(text, null);
        if (type === null) continue;
        candidate.known++;
        candidate.types.add(type);
        if (candidate.words.size < MAX_EXAMPLES) candidate.words.add(text);
      }
    },
    findings(): Finding[] {
      const [best] = candidates
        .filter(({ known, filled }) => known > 0 && known >= TYPE_SHARE * filled)
        .sort((a, b) => b.known - a.known);
      if (!best) return [];
      return [
        {
          ...unreadColumn(file, 'property_type', [best.name]),
          count: best.known,
          examples: [...best.words],
          isBlocking: best.types.size > 1,
        },
      ];
    },
  };
}
