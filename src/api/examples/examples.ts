import recorded from './recorded.json' with { type: 'json' };
import { REQUEST_EXAMPLES } from './requests.ts';

/**
 * Examples by the title of their schema. `npm run examples` records the responses from the service with the
 * sample county. Run it again after a response changes.
 */
export const EXAMPLES: Readonly<Record<string, unknown>> = { ...recorded, ...REQUEST_EXAMPLES };
