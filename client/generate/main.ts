import { mkdirSync, writeFileSync } from 'node:fs';
import { buildOpenApi } from '../../src/api/openapi.ts';
import { ROUTES } from '../../src/api/routes.ts';
import type { Document } from './document.ts';
import { renderClient } from './render-client.ts';

/** `npm run client`: writes the files that are generated from the OpenAPI document. */
const GENERATED = new URL('../src/generated/', import.meta.url);

const document: Document = JSON.parse(JSON.stringify(buildOpenApi(ROUTES)));
mkdirSync(GENERATED, { recursive: true });
for (const [name, text] of await renderClient(document)) writeFileSync(new URL(name, GENERATED), text);
