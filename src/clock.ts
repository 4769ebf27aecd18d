/** The only source of time. Tests give one that stands still. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/**
 * Milliseconds since a fixed moment of this process. Unlike the clock of the machine it never steps back, so it measures
 * how long something may last.
 */
export type MonotonicClock = () => number;

export const monotonicClock: MonotonicClock = () => performance.now();
