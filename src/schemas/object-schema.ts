import type { TSchema } from 'typebox';
import { isRecord } from '../domain/json.ts';

/** The parts of a JSON Schema that request readers and the documentation use. */
export interface ObjectSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly required?: readonly string[];
  readonly items?: ObjectSchema;
  readonly maxItems?: number;
  /** The schema of every value of a map. */
  readonly additionalProperties?: boolean | ObjectSchema;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly 'x-aliases'?: readonly string[];
  readonly 'x-when-omitted'?: string;
}

/** The schema as plain keywords, which TypeBox types do not expose. */
export function keywordsOf(schema: TSchema): ObjectSchema {
  return schema;
}

/** Whether a member is an object of any names, which a query writes as JSON. */
export function isMap(member: ObjectSchema): boolean {
  return isRecord(member.additionalProperties) && member.properties === undefined;
}

/**
 * Whether a member is a section of a request: an object whose members a flat query names without a prefix.
 */
export function isSection(member: ObjectSchema | undefined): boolean {
  return member?.properties !== undefined;
}
