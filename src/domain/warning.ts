/** Something the caller should know that did not prevent a response. `field` is named as in the request. */
export interface Warning {
  readonly code: string;
  readonly field: string | null;
  readonly message: string;
}
