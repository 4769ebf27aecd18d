import { checkColumns, openTable } from '../tables/open-table.ts';
import { TABLE_LIMITS, type OnBytes, type Table } from '../tables/table.ts';
import { featureFormatOf, openFeatureTable } from './features/feature-table.ts';
import { completeFhfaTable } from './index/fhfa-table.ts';
import type { TableKind } from './rows/columns.ts';

/**
 * Opens a file of a kind of rows: a table, or features with properties. A price index may have no header, so that its
 * first row may repeat values.
 */
export async function openTableOf(kind: TableKind, path: string, onBytes: OnBytes): Promise<Table> {
  if (kind !== 'index') {
    const featureFormat = await featureFormatOf(path);
    return featureFormat ? openFeatureTable(path, featureFormat, onBytes) : openTable(path, onBytes);
  }
  const table = completeFhfaTable(await openTable(path, onBytes, { ...TABLE_LIMITS, repeatsNames: true }));
  try {
    checkColumns(path, table.columns, TABLE_LIMITS);
  } catch (error) {
    await table.close?.();
    throw error;
  }
  return table;
}
