import { format, resolveConfig } from 'prettier';
import type { Document } from './document.ts';
import { operationsText } from './operations.ts';
import { comment, membersOf, typeOf } from './types.ts';

const HEAD =
  '// Made from the OpenAPI document by `npm run client`. Change the schemas of the API, not this.\n\n';

/** The client's generated files by name, formatted as the repository is. */
export async function renderClient(document: Document): Promise<Map<string, string>> {
  const files = new Map([
    ['schemas.ts', schemasText(document)],
    ['operations.ts', operationsText(document)],
  ]);
  const options = { ...(await resolveConfig(import.meta.filename)), parser: 'typescript' };
  for (const [name, text] of files) files.set(name, await format(HEAD + text, options));
  return files;
}

function schemasText(document: Document): string {
  const { schemas } = document.components;
  const types = Object.entries(schemas).map(([name, schema]) => {
    const about = comment([schema.description]);
    const mayBeNull = [schema.type].flat().includes('null');
    if (schema.properties && !mayBeNull) return `${about}export interface ${name} ${membersOf(schema)}\n`;
    return `${about}export type ${name} = ${typeOf(schema)};\n`;
  });
  const codes = schemas.Problem?.properties?.code?.examples ?? [];
  const known = codes.map((code) => `'${code}'`).join(' | ');
  return `${types.join('\n')}
/** The error codes that this version knows. Later versions may add more. */
export type ErrorCode = ${known} | 'validation_error';
`;
}
