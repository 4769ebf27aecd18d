/** A response body as a client sees it: any member may be read, and a wrong name fails the test that reads it. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies without types, as clients do
export type Json = Record<string, any>;
