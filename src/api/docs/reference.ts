import { HTTP_ERRORS } from '../../errors.ts';
import { exampleOf, EXAMPLES, flatExample } from '../examples/examples.ts';
import { describeMember } from '../openapi.ts';
import { keywordsOf, type ObjectSchema } from '../../schemas/object-schema.ts';
import type { Route } from '../route.ts';
import { contentsOf, type Guide } from './guides.ts';
import { html, type Html } from '../../html.ts';
import { inline, list, renderPage, table } from './html.ts';

/** The API reference as one page: requests, responses and errors. */
export function renderReference(routes: readonly Route[], guides: readonly Guide[]): string {
  const byTag = [...Map.groupBy(routes, (route) => route.tag)];
  const links = byTag.map(([tag, own]) => {
    const operations = own.map(
      (route) => html`<a href="#${route.operationId}">${methodOf(route)} ${route.summary}</a>`,
    );
    return html`<h2>${tag}</h2>
      ${list(operations)}`;
  });
  const sections = byTag.map(
    ([tag, own]) =>
      html`<h2 class="tag">${tag}</h2>
        ${own.map((route) => operation(route, isQueryForm(route, routes)))}`,
  );
  return renderPage(
    'API reference',
    contentsOf(guides, html`${links}`, html`<a href="#errors">Errors</a>`),
    html`${introduction()} ${sections} ${errors()}`,
  );
}

function methodOf({ method }: Route): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function introduction(): Html {
  return html`<header>
      <h1>Plumbline API</h1>
      <p class="lead">
        Property values on a date, with their prediction ranges and sources, computed from the sales and
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

/** Whether a POST with the same path already documents the members and the response. */
function isQueryForm(route: Route, routes: readonly Route[]): boolean {
  return (
    route.method === 'GET' && routes.some(({ method, path }) => method === 'POST' && path === route.path)
  );
}

function operation(route: Route, isOtherForm: boolean): Html {
  const { body, query, problems } = route;
  return html`<section
    class="operation"
    id="${route.operationId}"
    data-request="${JSON.stringify(requestOf(route))}"
  >
    <h3>${methodOf(route)} <code>${route.path}</code></h3>
    <p class="summary">${route.summary}</p>
    ${route.description && html`<p>${inline(route.description)}</p>`}
    <p class="terms">${terms(route)}</p>
    ${
      body &&
      html`<h4>Body</h4>
        ${fieldTables(keywordsOf(body), true)}`
    }
    ${
      query &&
      html`<h4>Query</h4>
        ${
          isOtherForm
            ? html`<p>The members of the body of the POST, flat, under the same names and aliases.</p>`
            : fieldTables(keywordsOf(query), true)
        }
        ${curlOf('GET', `${route.path}?${queryOf(exampleOf(query))}`, null)}`
    }
    ${body && curlOf(route.method, route.path, exampleOf(body))} ${!isOtherForm && responseOf(route)}
    ${
      problems.length > 0 &&
      html`<p>
        Problems of this operation:
        ${problems.map((code) => html`<a href="#error-${code}"><code>${code}</code></a> `)}
      </p>`
    }
  </section>`;
}

/** What the form on the page sends: the example, which the reader changes. */
function requestOf({ method, path, body, query, credits, access }: Route) {
  const url = query ? `${path}?${queryOf(exampleOf(query))}` : path;
  const hasKey = access !== 'public' && access !== 'metrics';
  return { method, path: url, body: body ? exampleOf(body) : null, credits, hasKey };
}

function terms(route: Route): Html {
  if (route.access === 'public') return html`No key needed.`;
  if (route.access === 'metrics')
    return html`For the token of <code>METRICS_TOKEN</code>, or callers on the same machine.`;
  return html`Scope <code>${route.access}</code>. Credits: ${route.credits}.`;
}

function responseOf({ response }: Route): Html | null {
  if (!response) return null;
  const example = exampleOf(response);
  return html`<h4>Response</h4>
    <details>
      <summary>Members</summary>
      ${fieldTables(keywordsOf(response), false)}
    </details>
    ${
      example !== undefined &&
      html`<details>
        <summary>Example (figures of no real place)</summary>
        ${codeOf(JSON.stringify(example, null, 2))}
      </details>`
    }`;
}

/** A table of a schema's members, followed by one for each nested object, titled with its path. */
function fieldTables(schema: ObjectSchema, marksRequired: boolean, path = ''): Html[] {
  const members = Object.entries(schema.properties ?? {});
  const inner = members.flatMap(([name, member]) => {
    const at = path ? `${path}.${name}` : name;
    if (member.properties) return fieldTables(member, marksRequired, at);
    const { additionalProperties: each, items } = member;
    if (typeof each === 'object' && each.properties) return fieldTables(each, marksRequired, `${at}.*`);
    return items?.properties ? fieldTables(items, marksRequired, `${at}[]`) : [];
  });
  const rows = members
    .filter(([, member]) => !member.properties && !member.items?.properties)
    .map(([name, member]) => {
      const isMarked = marksRequired && schema.required?.includes(name);
      return html`<tr>
        <td><code>${name}</code>${isMarked && html` <em class="required">required</em>`}</td>
        <td class="type">${typeOf(member)}</td>
        <td>${inline(meaningOf(member))}</td>
      </tr>`;
    });
  if (rows.length === 0) return inner;
  const own = html`${path && html`<h5><code>${path}</code></h5>`}
  ${schema.description && html`<p>${inline(schema.description)}</p>`}
  ${table(['Member', 'Type', 'Meaning'], rows, html` class="fields"`)}`;
  return [own, ...inner];
}

function typeOf(member: ObjectSchema): string {
  const types = [member.type ?? 'any'].flat();
  const kind = types.filter((type) => type !== 'null').join(' or ');
  const { minimum: least, maximum: most } = member;
  const isBounded = most !== undefined && most !== Number.MAX_SAFE_INTEGER;
  const range = least === undefined ? '' : isBounded ? ` ${least} to ${most}` : ` from ${least}`;
  return kind + range + (types.includes('null') ? ', or null' : '');
}

function meaningOf(member: ObjectSchema): string {
  const values = member.enum?.filter((value) => value !== null).map((value) => `\`${String(value)}\``);
  const fallback = member.default ?? null;
  return [
    values ? `One of ${values.join(', ')}.` : null,
    describeMember(member),
    fallback === null ? null : `Default: ${String(fallback)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * The example of a body in its flat query form: nested members by their own names, lists with commas or as JSON.
 */
function queryOf(example: unknown): string {
  const query = new URLSearchParams();
  for (const [name, value] of flatExample(example)) {
    const isListOfObjects = Array.isArray(value) && value.some((entry) => typeof entry === 'object');
    query.append(name, isListOfObjects ? JSON.stringify(value) : String(value));
  }
  return query.toString().replaceAll('%2C', ',');
}

function curlOf(method: string, path: string, body: unknown): Html {
  const key = '-H "X-API-Key: $PLUMBLINE_KEY"';
  if (method === 'GET') return codeOf(`curl "$PLUMBLINE${path}" \\\n  ${key}`);
  const sent = `-H "Content-Type: application/json" \\\n  -d '${JSON.stringify(body, null, 2)}'`;
  return codeOf(`curl "$PLUMBLINE${path}" \\\n  ${key} ${sent}`);
}

/** Wide code scrolls inside its own block, which must be reachable by keyboard. */
function codeOf(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

function errors(): Html {
  const rows = HTTP_ERRORS.map(
    ({ code, status, meaning }) =>
      html`<tr id="error-${code}">
        <td>${status}</td>
        <td><code>${code}</code></td>
        <td>${inline(meaning)}</td>
      </tr>`,
  );
  return html`<section id="errors">
    <h2>Errors</h2>
    <p>
      A request that is JSON but not valid is a <code>422</code> that lists every error at once. Every other
      error is a problem document (<code>application/problem+json</code>) with a <code>code</code> from this
      list.
    </p>
    ${codeOf(JSON.stringify(EXAMPLES.ValidationProblem, null, 2))}
    ${table(['Status', 'Code', 'What it means'], rows)}
  </section>`;
}
