interface LeaseToKeep {
  readonly everyMs: number;
  readonly renew: () => Promise<unknown>;
  /** A renewal that fails is tried again at the next interval. */
  readonly onFailure: (error: unknown) => void;
}

/** Renews a lease at intervals while the work runs. */
export async function keepLease<Result>(
  { everyMs, renew, onFailure }: LeaseToKeep,
  work: () => Promise<Result>,
): Promise<Result> {
  const timer = setInterval(() => {
    renew().catch(onFailure);
  }, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
