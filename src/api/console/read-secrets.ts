import type { Static, TSchema } from 'typebox';
import { createRequestReader, type Reading } from '../request/read-request.ts';
import { ValidationError } from '../request/validation-error.ts';

/** Reads a body that holds a password. Its errors leave out what was sent, which other errors repeat. */
export function createSecretReader<S extends TSchema>(
  schema: S,
): (body: unknown, reading: Reading) => Static<S> {
  const reader = createRequestReader({ schema, check: () => [], build: (value): Static<S> => value });
  return (body, reading) => {
    try {
      return reader.body(body, reading);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw new ValidationError(error.errors.map((each) => ({ ...each, input: null })));
    }
  };
}
