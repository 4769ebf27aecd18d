import { randomBytes } from 'node:crypto';
import { createSecretBox } from '../../../src/accounts/secret-box.ts';

/** Seals second factors and webhook secrets of test servers: with the same key in every process. */
export const TEST_BOX = createSecretBox(Buffer.alloc(32, 7), randomBytes);
