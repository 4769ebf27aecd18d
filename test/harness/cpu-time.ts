/**
 * Measures the CPU seconds that this process and its threads spend on a piece of work. Tests use it instead
 * of the clock, because other test files share the machine and make them wait for a core.
 */
export async function cpuSecondsOf(run: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
}
