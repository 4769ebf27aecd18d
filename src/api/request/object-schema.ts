import type { TSchema } from 'typebox';

/** The parts of a JSON Schema that the readers of requests and the documentation look at. */
export interface ObjectSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly required?: readonly string[];
  readonly items?: ObjectSchema;
  readonly maxItems?: number;
  /** What every member of a map is. */
  readonly additionalProperties?: boolean | ObjectSchema;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly 'x-aliases'?: readonly string[];
  readonly 'x-when-omitted'?: string;
}

/** An object as JSON has it: not null, not an array. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema as something to look into: TypeBox types keep their keywords out of sight. */
export function keywordsOf(schema: TSchema): ObjectSchema {
  return schema;
}

/** Whether a member is a section of a request: an object whose members a flat query names without it. */
export function isSection(member: ObjectSchema | undefined): boolean {
  return member?.properties !== undefined;
}
