import type { Document } from './document.ts';
import { shapesOf, type Shape } from './operation-shape.ts';
import { comment, queryMembersOf } from './types.ts';

/**
 * The text of generated/operations.ts: every operation as a method, plus its dry run, lines and pages if it
 * has them.
 */
export function operationsText(document: Document): string {
  const shapes = shapesOf(document);
  const queries = shapes.filter((shape) => shape.queryType !== null);
  const body = [
    ...queries.map((shape) => `export interface ${shape.queryType} ${queryMembersOf(shape.query)}\n`),
    interfaceOf(
      'Operations',
      'Every operation, by its `operationId`.',
      shapes,
      (shape) => `Promise<${shape.responseType}>`,
    ),
    interfaceOf(
      'DryRuns',
      'What each would cost at most; nothing is valued, taken on or charged.',
      charged(shapes),
      (shape) => `Promise<${shape.dryRunType}>`,
    ),
    interfaceOf(
      'Lines',
      'Lines, each as it comes.',
      withLines(shapes),
      (shape) => `AsyncGenerator<${shape.lineType}, void>`,
    ),
    interfaceOf(
      'Each',
      'Lists one by one: the next page is asked for when the one before is used up.',
      paged(shapes),
      (shape) => `AsyncGenerator<${shape.pages?.itemType}, void>`,
    ),
    requestsText(shapes),
    bindText(shapes),
  ].join('\n');
  const code = body.replaceAll(/\/\*\*[\s\S]*?\*\//g, '');
  const named = Object.keys(document.components.schemas).filter((name) =>
    new RegExp(`\\b${name}\\b`).test(code),
  );
  return `import type { Call, CallFile, CallLines, CallOptions, CallRequest } from '../call.ts';
import { eachOf } from '../each.ts';
import type { ${named.join(', ')} } from './schemas.ts';

${body}`;
}

const charged = (shapes: readonly Shape[]): Shape[] => shapes.filter((shape) => shape.dryRunType !== null);
const withLines = (shapes: readonly Shape[]): Shape[] => shapes.filter((shape) => shape.lineType !== null);
const paged = (shapes: readonly Shape[]): Shape[] => shapes.filter((shape) => shape.pages !== null);

const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The parameters of a method except its options: path, then body or query. */
function inputsOf(
  shape: Shape,
): { readonly name: string; readonly type: string; readonly isOptional: boolean }[] {
  const path = shape.pathNames.map((name) => ({ name: camel(name), type: 'string', isOptional: false }));
  const body = shape.bodyType ? [{ name: 'body', type: shape.bodyType, isOptional: false }] : [];
  const isOptional = !shape.query.some(({ required }) => required);
  const query = shape.queryType ? [{ name: 'query', type: shape.queryType, isOptional }] : [];
  return [...path, ...body, ...query];
}

function interfaceOf(
  name: string,
  about: string,
  shapes: readonly Shape[],
  responseOf: (shape: Shape) => string,
): string {
  const methods = shapes.map((shape) => {
    const inputs = inputsOf(shape).map((one) => `${one.name}${one.isOptional ? '?' : ''}: ${one.type}`);
    const { operation } = shape;
    return `${comment([`${operation.summary}.`, operation.description, termsOf(shape)])}readonly ${operation.operationId}: (${[...inputs, 'options?: CallOptions'].join(', ')}) => ${responseOf(shape)};`;
  });
  return `${comment([about])}export interface ${name} {\n${methods.join('\n\n')}\n}\n`;
}

function termsOf({ operation, method, path }: Shape): string {
  const scope = operation['x-scope'] ? ` Scope \`${operation['x-scope']}\`.` : '';
  return `\`${method} ${path}\`.${scope} Credits: ${operation['x-credits']}.`;
}

function requestsText(shapes: readonly Shape[]): string {
  const entries = shapes.map((shape) => {
    const inputs = inputsOf(shape);
    const path = shape.path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => `\${encodeURIComponent(${camel(name)})}`,
    );
    const members = [
      `method: '${shape.method}'`,
      `path: ${path === shape.path ? `'${path}'` : `\`${path}\``}`,
      ...(shape.key === 'api' ? [] : [`key: '${shape.key}'`]),
      ...(shape.startsJob ? ['startsJob: true'] : []),
      ...(shape.responseType === 'string' ? ["accepts: 'text'"] : []),
      ...(shape.fileTypes.length > 0 ? [`fileTypes: '${shape.fileTypes.join(', ')}'`] : []),
      ...inputs.filter(({ name }) => name === 'body' || name === 'query').map(({ name }) => name),
    ];
    const typed = inputs.map((one) => `${one.name}${one.isOptional ? '?' : ''}: ${one.type}`).join(', ');
    return `${shape.operation.operationId}: (${typed}): CallRequest => ({ ${members.join(', ')} }),`;
  });
  return `const REQUESTS = {\n${entries.join('\n')}\n};\n`;
}

function bindText(shapes: readonly Shape[]): string {
  const named = (shape: Shape): string =>
    inputsOf(shape)
      .map(({ name }) => name)
      .join(', ');
  const entry = (shape: Shape, call: string): string => {
    const inputs = named(shape);
    const id = shape.operation.operationId;
    return `${id}: (${inputs ? `${inputs}, ` : ''}options) => ${call.replace('REQUEST', `REQUESTS.${id}(${inputs})`)},`;
  };
  const page = (shape: Shape): string => {
    const { items = '', cursor = '', input = 'query' } = shape.pages ?? {};
    const inputs = named(shape);
    const next = inputs.replace(input, `{ ...${input}, cursor }`);
    const id = shape.operation.operationId;
    const begin = `${input}${inputsOf(shape).some((one) => one.name === input && one.isOptional) ? '?' : ''}.cursor`;
    return `${id}: (${inputs}, options) => eachOf(${begin}, (cursor) => operations.${id}(${next}, options), (page) => page.${items}, (page) => page.${cursor}),`;
  };
  return `export function bindOperations(call: Call, callFile: CallFile): Operations {
  return {\n${shapes.map((shape) => entry(shape, shape.fileTypes.length > 0 ? 'callFile(REQUEST, options)' : 'call(REQUEST, options)')).join('\n')}\n};
}

export function bindDryRuns(call: Call): DryRuns {
  return {\n${charged(shapes)
    .map((shape) => entry(shape, 'call({ ...REQUEST, isDryRun: true }, options)'))
    .join('\n')}\n};
}

export function bindLines(callLines: CallLines): Lines {
  return {\n${withLines(shapes)
    .map((shape) => entry(shape, 'callLines(REQUEST, options)'))
    .join('\n')}\n};
}

export function bindEach(operations: Operations): Each {
  return {\n${paged(shapes).map(page).join('\n')}\n};
}
`;
}
