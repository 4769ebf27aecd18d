/** The only source of time. Tests pass a fixed clock. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/**
 * Milliseconds since a fixed moment of this process. Unlike the machine's clock it never steps back, so it
 * can measure durations.
 */
export type MonotonicClock = () => number;

export const monotonicClock: MonotonicClock = () => performance.now();
