/** Something the caller should know that did not stop the answer. `field` is the member it concerns, as the caller wrote it. */
export interface Warning {
  readonly code: string;
  readonly field: string | null;
  readonly message: string;
}
