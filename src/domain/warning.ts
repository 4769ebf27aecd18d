/**
 * Something the caller should know that did not prevent a response. `field` is the field it refers to, as the
 * caller wrote it.
 */
export interface Warning {
  readonly code: string;
  readonly field: string | null;
  readonly message: string;
}
