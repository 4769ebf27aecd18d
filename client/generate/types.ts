import type { Parameter, Schema } from './document.ts';

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/**
 * The TypeScript type of a schema. Our schemas use few keywords. An unknown one is an error, not a guess.
 */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.type === undefined) return 'unknown';
  return [schema.type]
    .flat()
    .map((type) => typeOfKind(type, schema))
    .join(' | ');
}

function typeOfKind(type: string, schema: Schema): string {
  if (type === 'array') return `readonly (${typeOf(schema.items ?? {})})[]`;
  if (type === 'object') return objectOf(schema);
  const plain = PLAIN[type];
  if (plain === undefined) throw new Error(`The client's generator knows no type ${type}.`);
  return plain;
}

function objectOf(schema: Schema): string {
  if (schema.properties) return membersOf(schema);
  const [ofPattern] = Object.values(schema.patternProperties ?? {});
  const each = ofPattern ?? schema.additionalProperties ?? true;
  return `Readonly<Record<string, ${typeof each === 'boolean' ? 'unknown' : typeOf(each)}>>`;
}

/** The members of an object, between braces. */
export function membersOf(schema: Schema): string {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const mark = schema.required?.includes(name) ? '' : '?';
    return `${comment([member.description])}readonly ${name}${mark}: ${typeOf(member)};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

/** The query of an operation as an object: a list parameter is a list here too. */
export function queryMembersOf(parameters: readonly Parameter[]): string {
  const members = parameters.map((parameter) => {
    const schema = parameter.schema ?? parameter.content?.['application/json']?.schema ?? {};
    const type = `${typeOf(schema)}${parameter.required ? '' : ' | null'}`;
    return `${comment([parameter.description])}readonly ${parameter.name}${parameter.required ? '' : '?'}: ${type};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

/** The name at the end of a reference. */
export function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}

export function comment(lines: readonly (string | undefined)[]): string {
  const text = lines.filter((line) => line).join('\n\n');
  if (text === '') return '';
  const safe = text.replaceAll('*/', '*\\/');
  if (!safe.includes('\n') && safe.length <= 95) return `/** ${safe} */\n`;
  return `/**\n${wrapped(safe)
    .map((line) => ` * ${line}`.trimEnd())
    .join('\n')}\n */\n`;
}

function wrapped(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => line.match(/.{1,95}(?:\s|$)/g)?.map((part) => part.trim()) ?? ['']);
}

function literal(value: string | number | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}
