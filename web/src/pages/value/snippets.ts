import type { Kind } from './value-request.ts';

/** The placeholder for an API key. */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY';

const CALLS = {
  home: { path: '/v1/avm/property', method: 'valueProperty', value: 'estimated_value' },
  rent: { path: '/v1/avm/rental', method: 'valueRental', value: 'estimated_rent' },
  building: { path: '/v1/avm/multifamily', method: 'valueMultifamily', value: 'estimated_value' },
} as const satisfies Record<Kind, object>;

/** The request in one language. */
interface Snippet {
  readonly name: 'curl' | 'typescript' | 'python';
  readonly label: string;
  readonly text: string;
}

export function snippetsOf(kind: Kind, body: unknown, baseUrl: string): Snippet[] {
  return [
    { name: 'curl', label: 'curl', text: curl(kind, body, baseUrl) },
    { name: 'typescript', label: 'TypeScript', text: typescript(kind, body, baseUrl) },
    { name: 'python', label: 'Python', text: python(kind, body, baseUrl) },
  ];
}

function curl(kind: Kind, body: unknown, baseUrl: string): string {
  return [
    `curl -s ${baseUrl}${CALLS[kind].path} \\`,
    `  -H 'X-API-Key: ${KEY_PLACEHOLDER}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellQuoted(JSON.stringify(body, null, 2))}`,
  ].join('\n');
}

/** In single quotes a shell changes nothing. Only the quote itself must be escaped. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function typescript(kind: Kind, body: unknown, baseUrl: string): string {
  const { method, value } = CALLS[kind];
  return `import { createClient } from 'plumbline-client';

const plumbline = createClient({ baseUrl: '${baseUrl}', apiKey: '${KEY_PLACEHOLDER}' });

const { valuation } = await plumbline.${method}(${objectLiteral(body)});

console.log(valuation.${value}, valuation.${value}_low, valuation.${value}_high);
`;
}

/** JSON is a valid object literal; quotes that names do not need are removed. JSON strings contain no line breaks. */
function objectLiteral(body: unknown): string {
  return JSON.stringify(body, null, 2).replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:');
}

function python(kind: Kind, body: unknown, baseUrl: string): string {
  const { path, value } = CALLS[kind];
  return `import json
from urllib.request import Request, urlopen

headers = {"X-API-Key": "${KEY_PLACEHOLDER}", "Content-Type": "application/json"}
body = ${pythonLiteral(body, '')}
request = Request("${baseUrl}${path}", json.dumps(body).encode(), headers)
with urlopen(request, timeout=15) as response:
    valuation = json.load(response)["valuation"]
print(valuation["${value}"], valuation["${value}_low"], valuation["${value}_high"])
`;
}

/** JSON strings and numbers are valid in Python; only null, true and false differ. */
function pythonLiteral(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => pythonLiteral(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonLiteral(one, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}
