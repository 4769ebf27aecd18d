/**
 * Why a row is not loaded: 'rejected' rows are faulty and count against `--max-rejects`; 'skipped' rows are valid but
 * not home sales (a warehouse, a transfer without a price). Thrown while a row is read, caught where rows are counted.
 */
export class RowRejection extends Error {
  override readonly name = 'RowRejection';
  readonly kind: 'rejected' | 'skipped';
  readonly reason: string;
  readonly field: string | null;
  readonly value: string;

  constructor(kind: 'rejected' | 'skipped', reason: string, field: string | null, value: string) {
    super(reason);
    this.kind = kind;
    this.reason = reason;
    this.field = field;
    this.value = value;
  }
}

export function reject(reason: string, field: string | null, value: string): never {
  throw new RowRejection('rejected', reason, field, value);
}

export function skip(reason: string, field: string | null, value: string): never {
  throw new RowRejection('skipped', reason, field, value);
}
