import type { Route } from '../route.ts';
import { isForCallers, type Guide } from './guides.ts';

/**
 * What a language model needs to know first, in the form of https://llmstxt.org. It is built from the routes,
 * so it is always up to date.
 */
export function llmsText(routes: readonly Route[], guides: readonly Guide[]): string {
  const byTag = [...Map.groupBy(routes, ({ tag }) => tag)];
  return [
    '# Plumbline',
    '> Values homes, rents and residential buildings with measured ranges, and reports census, crime, wildfire and flood data for a place, from the sales and public records that this installation has loaded.',
    HOW_TO,
    listing('Start here', [
      '- [OpenAPI 3.1 document](/v1/openapi.json): every operation with its schemas and examples',
      '- [API reference](/docs): the same for people',
      '- [Errors](/docs#errors): every code, what it means and what to do',
      ...guides.filter(isForCallers).map(linkTo),
    ]),
    ...byTag.map(([tag, own]) => listing(tag, own.map(lineOf))),
    listing('Optional', guides.filter((guide) => !isForCallers(guide)).map(linkTo)),
  ].join('\n\n');
}

const HOW_TO = `Send the key in the header \`X-API-Key\`, never in a URL; the operator creates one with \`plumbline keys create\` or in the console. Bodies
and responses are JSON in snake_case. Money is whole US dollars, areas square feet, distances miles, dates YYYY-MM-DD. Every value
has a 90% interval: report it too. Null means unknown, not zero. Only 2xx responses are charged (\`X-Credits-Charged\`); \`X-Dry-Run: true\` returns the
cost without charging. Errors are problem documents with a \`code\` and a sentence that says what to do; a 422 lists every wrong
member with its place. On 429 and 503 wait for \`Retry-After\` seconds.`;

function listing(title: string, lines: readonly string[]): string {
  return `## ${title}\n\n${lines.join('\n')}`;
}

function lineOf(route: Route): string {
  const { method, path, operationId, summary, credits, access } = route;
  const needs = access === 'public' ? 'no key' : access === 'metrics' ? 'metrics token' : `scope ${access}`;
  const costs = credits === '0' ? 'free' : `credits: ${credits}`;
  return `- [${method} ${path}](/docs#${operationId}): ${summary} (${needs}; ${costs})`;
}

function linkTo({ path, title }: Guide): string {
  return `- [${title}](/docs/${path})`;
}
