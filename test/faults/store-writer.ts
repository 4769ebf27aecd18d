import { writeSync } from 'node:fs';
import { openStore, type StoreSettings } from '../../src/store/open-store.ts';
import { insertSales } from '../../src/store/property-records.ts';
import { many, SOURCE, testSale, testValuation } from '../harness/store/rows.ts';
import { createValuationLog, writeValuationsTo } from '../../src/store/valuation-log.ts';
import { beginDataset } from '../../src/store/publish-dataset.ts';

/**
 * A process that writes until it is killed: `node store-writer.ts load|log <settings as JSON>`. It prints a
 * line after the store acknowledges a write, never before.
 */
const [task, settings] = process.argv.slice(2);
const store = await openStore(JSON.parse(settings) as StoreSettings);

/** Written synchronously: a line that the parent sees was acknowledged before the kill. */
function acknowledge(text: string | number): void {
  writeSync(1, `${text}\n`);
}

if (task === 'load') {
  const datasetId = await beginDataset(store, { marketId: 'wi-test', kind: 'sales', source: SOURCE });
  acknowledge(datasetId);
  for (let part = 0; ; part++) {
    const sales = many(500, (i) => ({ ...testSale(i), recordId: `${part} ${i}` }));
    await insertSales(store, datasetId, sales);
  }
}

const log = createValuationLog(writeValuationsTo(store));
const appendForever = async (writer: number): Promise<never> => {
  for (let i = 0; ; i++) {
    const id = `${writer}-${i}`;
    await log.append(testValuation(id));
    acknowledge(id);
  }
};
await Promise.all(many(8, appendForever));
