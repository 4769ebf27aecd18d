import { ERROR_STATUS } from '../../errors.ts';
import { ERROR_GUIDE } from '../error-guide.ts';
import { EXAMPLES } from '../examples/examples.ts';
import { flatExample } from '../examples/flat-example.ts';
import { keywordsOf } from '../request/object-schema.ts';
import type { Route } from '../route.ts';
import { html, inline, type Html } from './html.ts';
import { fieldTables } from './field-table.ts';
import { FOR_CALLERS, guideContents, type Guide } from './guides.ts';
import { renderPage } from './page.ts';

/** The API reference as one page: requests, responses and errors. */
export function renderDocs(routes: readonly Route[], guides: readonly Guide[]): string {
  const tags = [...new Set(routes.map((route) => route.tag))];
  return renderPage({
    title: 'API reference',
    contents: contents(routes, tags, guides),
    main: html`${introduction()} ${tags.map((tag) => section(tag, routes))} ${errors()}`,
  });
}

const anchorOf = (route: Route): string => route.operationId;

function contents(routes: readonly Route[], tags: readonly string[], guides: readonly Guide[]): Html {
  const isFirst = (section: string): boolean => FOR_CALLERS.includes(section);
  return html`${guideContents(guides, isFirst)}
    ${tags.map(
      (tag) =>
        html`<h2>${tag}</h2>
          <ul>
            ${routes
              .filter((route) => route.tag === tag)
              .map(
                (route) =>
                  html`<li>
                    <a href="#${anchorOf(route)}"
                      ><span class="method ${route.method.toLowerCase()}">${route.method}</span>
                      ${route.summary}</a
                    >
                  </li>`,
              )}
          </ul>`,
    )}
    <h2>Reference</h2>
    <ul>
      <li><a href="#errors">Errors</a></li>
      <li><a href="/v1/openapi.json">OpenAPI document</a></li>
      <li><a href="/llms.txt">llms.txt</a></li>
    </ul>
    ${guideContents(guides, (section) => !isFirst(section))}`;
}

function introduction(): Html {
  return html`<header>
      <h1>Plumbline API</h1>
      <p class="lead">
        What a home is worth on a date, how sure that is, and what it rests on: computed from the sales and
        public records that this installation has loaded.
      </p>
    </header>
    <section>
      <h2>Getting started</h2>
      <p>
        Send your key with every request, in the <code>X-API-Key</code> header, never in a URL. Create keys
        with <code>plumbline keys create</code>. Each key is shown once. The examples expect the service’s
        address in <code>PLUMBLINE</code> (<code>http://localhost:8080</code>) and the key in
        <code>PLUMBLINE_KEY</code>.
      </p>
      ${curlOf('POST', '/v1/avm/property', EXAMPLES.PropertyValuationRequest)}
      <dl class="facts">
        <dt>Bodies</dt>
        <dd>
          JSON in UTF-8, at most 1 MB, a batch 5 MB. Members that are not known are ignored and named in
          <code>warnings</code>; with <code>Prefer: handling=strict</code> they are errors.
        </dd>
        <dt>Units</dt>
        <dd>
          Money is whole US dollars, areas are square feet, distances miles, dates <code>YYYY-MM-DD</code>.
        </dd>
        <dt>Cost</dt>
        <dd>
          <code>X-Credits-Charged</code> is the cost of a response; only 2xx responses are charged.
          <code>X-Dry-Run: true</code> returns the maximum cost without running the request.
        </dd>
        <dt>Support</dt>
        <dd>
          Every response has an <code>X-Request-Id</code>, yours if you send one. Quote it when you ask for
          help.
        </dd>
      </dl>
    </section>`;
}

function section(tag: string, routes: readonly Route[]): Html {
  return html`<h2 class="tag">${tag}</h2>
    ${routes
      .filter((route) => route.tag === tag)
      .map((route) => operation(route, isQueryForm(route, routes)))}`;
}

/** Whether a POST with the same path already documents the members and the response. */
function isQueryForm(route: Route, routes: readonly Route[]): boolean {
  return (
    route.method === 'GET' && routes.some(({ method, path }) => method === 'POST' && path === route.path)
  );
}

function operation(route: Route, isOtherForm: boolean): Html {
  return html`<section class="operation" id="${anchorOf(route)}">
    <h3>
      <span class="method ${route.method.toLowerCase()}">${route.method}</span> <code>${route.path}</code>
    </h3>
    <p class="summary">${route.summary}</p>
    ${route.description && html`<p>${inline(route.description)}</p>`}
    <p class="terms">${terms(route)}</p>
    ${
      route.body &&
      html`<h4>Body</h4>
        ${fieldTables(route.body, { marksRequired: true })}`
    }
    ${
      route.query &&
      html`<h4>Query</h4>
        ${
          isOtherForm
            ? html`<p>The members of the body of the POST, flat, under the same names and aliases.</p>`
            : fieldTables(route.query, { marksRequired: true })
        }
        ${curlOf('GET', `${route.path}?${queryOf(EXAMPLES[keywordsOf(route.query).title ?? ''])}`, null)}`
    }
    ${route.body && curlOf(route.method, route.path, EXAMPLES[keywordsOf(route.body).title ?? ''])}
    ${!isOtherForm && answerOf(route)}
    ${
      route.problems.length > 0 &&
      html`<p>
        Problems of its own:
        ${route.problems.map((code) => html`<a href="#error-${code}"><code>${code}</code></a> `)}
      </p>`
    }
  </section>`;
}

function terms(route: Route): Html {
  if (route.access === 'public') return html`No key needed.`;
  if (route.access === 'metrics')
    return html`For the token of <code>METRICS_TOKEN</code>, or callers on the same machine.`;
  return html`Scope <code>${route.access}</code>. Credits: ${route.credits}.`;
}

function answerOf(route: Route): Html | null {
  if (!route.response) return null;
  const example = EXAMPLES[keywordsOf(route.response).title ?? ''];
  return html`<h4>Response</h4>
    <details>
      <summary>Members</summary>
      ${fieldTables(route.response, { marksRequired: false })}
    </details>
    ${
      example !== undefined &&
      html`<details>
        <summary>Example (figures of no real place)</summary>
        <pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>
      </details>`
    }`;
}

/**
 * The example of a body in its flat query form: nested members by their own names, lists with commas or as
 * JSON.
 */
function queryOf(example: unknown): string {
  const members = flatExample(example).map(
    ([name, value]) => [name, textOf(value)] satisfies [string, string],
  );
  const query = new URLSearchParams(members);
  return query.toString().replaceAll('%2C', ',');
}

function textOf(value: unknown): string {
  const isListOfObjects = Array.isArray(value) && value.some((entry) => typeof entry === 'object');
  return isListOfObjects ? JSON.stringify(value) : String(value);
}

function curlOf(method: string, path: string, body: unknown): Html {
  const lines =
    method === 'GET'
      ? [`curl "$PLUMBLINE${path}" \\`, `  -H "X-API-Key: $PLUMBLINE_KEY"`]
      : [
          `curl "$PLUMBLINE${path}" \\`,
          `  -H "X-API-Key: $PLUMBLINE_KEY" -H "Content-Type: application/json" \\`,
          `  -d '${JSON.stringify(body, null, 2)}'`,
        ];
  return html`<pre tabindex="0"><code>${lines.join('\n')}</code></pre>`;
}

function errors(): Html {
  const rows = Object.entries(ERROR_GUIDE);
  return html`<section id="errors">
    <h2>Errors</h2>
    <p>
      A request that is JSON but not valid is a <code>422</code> that lists every error at once. Every other
      error is a problem document (<code>application/problem+json</code>) with a <code>code</code> from this
      list.
    </p>
    <pre tabindex="0"><code>${JSON.stringify(EXAMPLES.ValidationProblem, null, 2)}</code></pre>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Status</th>
            <th>Code</th>
            <th>What it means</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([code, meaning]) =>
              html`<tr id="error-${code}">
                <td>${statusOf(code)}</td>
                <td><code>${code}</code></td>
                <td>${inline(meaning)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function statusOf(code: string): number | null {
  return Object.entries(ERROR_STATUS).find(([known]) => known === code)?.[1] ?? null;
}
