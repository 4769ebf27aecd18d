import { importAddresses } from '../src/load/import-parcels.ts';
import { importSales } from '../src/load/import-records.ts';
import { openStore } from '../src/store/open-store.ts';

/** Imports one file into a store and prints its progress. test/import-kill.test.ts kills it. */
const [settings, kind, file] = process.argv.slice(2);
const store = await openStore(JSON.parse(settings));
const importFile = kind === 'sales' ? importSales : importAddresses;
await importFile(
  {
    store,
    clock: () => new Date(),
    dataDir: JSON.parse(settings).dataDir,
    progress: (step, done) => process.stdout.write(`${step} ${done}\n`),
  },
  { marketId: 'xx-test', files: [file] },
);
await store.close();
