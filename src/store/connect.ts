import { CamelCasePlugin, Kysely, type Dialect } from 'kysely';
import type { Database, RowTables } from './database.ts';
import type { Store } from './store.ts';

/** Two views of the same connections: tables with columns in camel case, and property rows as they are stored. */
export function connect(dialect: Dialect): Pick<Store, 'db' | 'rows'> {
  const connections = new Kysely<Record<never, never>>({ dialect });
  return {
    db: connections
      .withPlugin(new CamelCasePlugin({ maintainNestedObjectKeys: true }))
      .withTables<Database>(),
    rows: connections.withTables<RowTables>(),
  };
}
