import { engines, type TestEngine } from '../harness/store/engines.ts';

/** Finds the engine by name. The runner makes sure that PostgreSQL is available. */
export function engineOf(name: TestEngine['name']): TestEngine {
  const engine = engines.find((candidate) => candidate.name === name);
  if (engine) return engine;
  throw new Error(`there is no ${name} to run faults on`);
}
