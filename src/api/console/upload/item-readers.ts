import type { JobItem } from '../../../jobs/batches.ts';
import type { ValuedKind } from '../../../operations/valued-kinds.ts';
import {
  multifamilyBatch,
  propertyBatch,
  rentalBatch,
  type BatchReader,
} from '../../endpoints/batch-request.ts';
import type { Reading } from '../../request/read-request.ts';

const READERS: { readonly [Kind in ValuedKind]: BatchReader<Kind> } = {
  property: propertyBatch,
  rental: rentalBatch,
  multifamily: multifamilyBatch,
};

/** Items of rows as the public operation for batches reads them. */
export async function readItems<Kind extends ValuedKind>(
  kind: Kind,
  items: readonly object[],
  reading: Reading,
): Promise<readonly JobItem<Kind>[]> {
  return (await READERS[kind]({ properties: items }, reading)).items;
}
