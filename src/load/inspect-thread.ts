import { handleCalls } from '../threads/open-thread.ts';
import { inspectFile, type Inspection } from './inspect-file.ts';
import type { InspectCall } from './inspect-in-thread.ts';

/** The thread of `inspectInThread`. */
handleCalls<InspectCall, Inspection>(({ path, options }) => inspectFile(path, options));
