/**
 * Seconds of this process's own work, its threads' too, that something took. For tests that would otherwise read the
 * clock: other test files share the machine, and a wait for a core is no fault of what is tested.
 */
export async function cpuSecondsOf(run: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
}
