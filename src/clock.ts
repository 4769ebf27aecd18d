/** The only source of time. Tests give one that stands still. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
