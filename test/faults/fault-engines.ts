import { engines, type TestEngine } from '../harness/store/engines.ts';

/** The engine of that name; the runner sees to it that there is a PostgreSQL. */
export function engineOf(name: TestEngine['name']): TestEngine {
  const engine = engines.find((candidate) => candidate.name === name);
  if (engine) return engine;
  throw new Error(`there is no ${name} to run faults on`);
}
