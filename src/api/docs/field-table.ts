import type { TSchema } from 'typebox';
import { describeMember } from '../openapi.ts';
import { keywordsOf, type ObjectSchema } from '../request/object-schema.ts';
import { html, inline, type Html } from './html.ts';

/** A table of a schema's members, followed by one for each nested object, titled with its path. */
export function fieldTables(schema: TSchema, options: { readonly marksRequired: boolean }): Html[] {
  return tablesOf(keywordsOf(schema), '', options.marksRequired);
}

function tablesOf(schema: ObjectSchema, path: string, marksRequired: boolean): Html[] {
  const members = Object.entries(schema.properties ?? {});
  const inner = members.flatMap(([name, member]) => {
    const at = path ? `${path}.${name}` : name;
    if (member.properties) return tablesOf(member, at, marksRequired);
    const ofMap = mapped(member);
    if (ofMap) return tablesOf(ofMap, `${at}.*`, marksRequired);
    return member.items?.properties ? tablesOf(member.items, `${at}[]`, marksRequired) : [];
  });
  const leaves = members.filter(([, member]) => !member.properties && !member.items?.properties);
  if (leaves.length === 0) return inner;
  const own = html`${path && html`<h5><code>${path}</code></h5>`}
    ${schema.description && html`<p>${inline(schema.description)}</p>`}
    <div class="scroll">
      <table class="fields">
        <thead>
          <tr>
            <th>Member</th>
            <th>Type</th>
            <th>Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${leaves.map(([name, member]) => row(name, member, marksRequired && isRequired(schema, name)))}
        </tbody>
      </table>
    </div>`;
  return [own, ...inner];
}

/** The schema of the values of a map; null for other members and for maps of plain values. */
function mapped({ additionalProperties: each }: ObjectSchema): ObjectSchema | null {
  return typeof each === 'object' && each.properties ? each : null;
}

function isRequired(schema: ObjectSchema, name: string): boolean {
  return schema.required?.includes(name) ?? false;
}

function row(name: string, member: ObjectSchema, isMarked: boolean): Html {
  return html`<tr>
    <td><code>${name}</code>${isMarked && html` <em class="required">required</em>`}</td>
    <td class="type">${typeOf(member)}</td>
    <td>${inline(meaningOf(member))}</td>
  </tr>`;
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
  const fallback =
    member.default === undefined || member.default === null ? null : `Default: ${String(member.default)}.`;
  return [values ? `One of ${values.join(', ')}.` : null, describeMember(member), fallback]
    .filter(Boolean)
    .join(' ');
}
