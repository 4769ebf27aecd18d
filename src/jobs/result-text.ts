import type { ItemResult } from './batch-types.ts';

/** Writes what JSON.stringify would, around the stored text of the valuation. */
export function textOfResult({ index, propertyId, status, dataText, error, errorCode }: ItemResult): string {
  const before = JSON.stringify({ index, property_id: propertyId, status }).slice(0, -1);
  const after = JSON.stringify({ error, error_code: errorCode }).slice(1);
  return `${before},"data":${dataText ?? 'null'},${after}`;
}
