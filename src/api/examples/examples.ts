import type { TSchema } from 'typebox';
import { keywordsOf } from '../../schemas/object-schema.ts';
import recorded from './recorded.json' with { type: 'json' };
import { REQUEST_EXAMPLES } from './requests.ts';
import { isRecord } from '../../domain/json.ts';

/**
 * Examples by the title of their schema. `npm run examples` records the responses from the service with the
 * sample county. Run it again after a response changes.
 */
export const EXAMPLES: Readonly<Record<string, unknown>> = { ...recorded, ...REQUEST_EXAMPLES };

export function exampleOf(schema: TSchema): unknown {
  return EXAMPLES[keywordsOf(schema).title ?? ''];
}

type Members = readonly (readonly [string, unknown])[];

/** The example of a body in its flat query form: nested members by their own names, lists unchanged. */
export function flatExample(example: unknown): Members {
  return Object.entries(example ?? {}).flatMap(([name, value]: [string, unknown]) =>
    isRecord(value) ? flatExample(value) : [[name, value] as const],
  );
}
