/** What is wrong with a JSON text, and where. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
  readonly atByte: number;

  constructor(what: string, atByte: number) {
    super(what);
    this.atByte = atByte;
  }
}
