/** A file of the generated county, as text or bytes in order. */
export interface SampleFile {
  /** Begins with "generated-". */
  readonly name: string;
  readonly chunks: Iterable<string | Uint8Array>;
}
