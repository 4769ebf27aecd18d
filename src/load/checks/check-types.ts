import { propertyTypeOf } from '../../domain/property-type-words.ts';
import type { Finding } from './finding.ts';

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
          check: 'missing_columns',
          column: 'property_type',
          count: best.known,
          message: `Nothing of ${file} is read as property_type, but "${best.name}" may be it: without it, homes are typed by their units alone.`,
          examples: [...best.words],
          likely: best.name,
          remedy: `Map it: {"property_type": "${best.name}"}, or say that it is not: {"property_type": {"const": null}}.`,
          fixes: [
            { label: `Read "${best.name}" as property_type`, mapping: { property_type: best.name } },
            { label: 'It is not', mapping: { property_type: { const: '' } } },
          ],
          isBlocking: best.types.size > 1,
        },
      ];
    },
  };
}
