import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from './config.ts';

export type Log = Logger;

/** Names of headers and fields whose values never reach a log line, at any depth. */
const SECRETS = [
  'req.headers["x-api-key"]',
  'req.headers.authorization',
  'req.headers.cookie',
  'headers["x-api-key"]',
  'headers.authorization',
  'headers.cookie',
  'apiKey',
  '*.apiKey',
];

/** Logs one JSON object per line. `destination` is for tests that read the log. */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: undefined,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: SECRETS, censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}
