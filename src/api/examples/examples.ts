import recorded from './recorded.json' with { type: 'json' };
import { REQUEST_EXAMPLES } from './requests.ts';

/**
 * Examples by the title of the schema they follow. Responses were recorded from the service over the sample county by `npm run
 * examples`: run it again where a response changes.
 */
export const EXAMPLES: Readonly<Record<string, unknown>> = { ...recorded, ...REQUEST_EXAMPLES };
