import { isPlainObject, type ObjectSchema } from './object-schema.ts';

type Path = readonly (string | number)[];

/** A request under canonical names, with the findings of the renaming. */
export interface CanonicalRequest {
  readonly value: unknown;
  /** Canonical path (joined by "/") → the name that the caller wrote, if it is different. */
  readonly writtenAs: ReadonlyMap<string, string>;
  readonly unknown: readonly Path[];
  readonly conflicts: readonly { readonly path: Path; readonly canonical: string; readonly input: unknown }[];
}

/**
 * Gives every member its canonical name, following the schema's `x-aliases`. A canonical name and an alias
 * may both be present if they agree; null counts as absent. Members that are not in the schema are removed
 * and listed, also inside list entries. Free-form objects (no `properties`) and values of the wrong type are
 * left for validation. Lists that are too long are cut to one entry more than the limit.
 */
export function canonicalMembers(schema: ObjectSchema, raw: unknown): CanonicalRequest {
  const found = { writtenAs: new Map<string, string>(), unknown: [], conflicts: [] };
  return { value: rename(schema, raw, [], found), ...found };
}

interface Found {
  readonly writtenAs: Map<string, string>;
  readonly unknown: Path[];
  readonly conflicts: { path: Path; canonical: string; input: unknown }[];
}

function rename(schema: ObjectSchema, given: unknown, path: Path, found: Found): unknown {
  const { properties, items, maxItems = Infinity } = schema;
  // One extra entry is enough to report that the list is too long. Each of a million extra entries would add
  // its own errors.
  const raw = Array.isArray(given) && given.length > maxItems ? given.slice(0, maxItems + 1) : given;
  if (items?.properties && Array.isArray(raw))
    return raw.map((entry: unknown, at) => rename(items, entry, [...path, at], found));
  if (!properties || !isPlainObject(raw)) return raw;
  const canonicalNames = canonicalNamesOf(schema);
  const renamed: Record<string, unknown> = {};
  // Iterates over names, because Object.entries takes three times as long for an object with 400,000 members.
  for (const written of Object.keys(raw)) {
    const input = raw[written];
    const canonical = canonicalNames.get(written);
    const member = canonical === undefined ? undefined : properties[canonical];
    if (canonical === undefined || member === undefined) {
      found.unknown.push([...path, written]);
      continue;
    }
    const before = renamed[canonical];
    if (before !== undefined && before !== null) {
      if (input !== null && input !== before) {
        // Reported under the alias, whichever came first.
        const alias = written === canonical ? writtenNameOf(found, path, canonical) : written;
        found.conflicts.push({ path: [...path, alias], canonical, input: raw[alias] });
      }
      continue;
    }
    if (input === null && before === null) continue;
    renamed[canonical] = rename(member, input, [...path, canonical], found);
    if (written !== canonical) found.writtenAs.set([...path, canonical].join('/'), written);
  }
  return renamed;
}

function writtenNameOf(found: Found, path: Path, canonical: string): string {
  return found.writtenAs.get([...path, canonical].join('/')) ?? canonical;
}

const namesBySchema = new WeakMap<ObjectSchema, ReadonlyMap<string, string>>();

/** Every accepted name → canonical name. Built once per schema. */
export function canonicalNamesOf(schema: ObjectSchema): ReadonlyMap<string, string> {
  const known = namesBySchema.get(schema);
  if (known) return known;
  const names = new Map<string, string>();
  for (const [canonical, member] of Object.entries(schema.properties ?? {})) {
    names.set(canonical, canonical);
    for (const alias of member['x-aliases'] ?? []) names.set(alias, canonical);
  }
  namesBySchema.set(schema, names);
  return names;
}
