/**
 * Text that is already HTML. Only `html` and the Markdown renderer of the docs create it, so nothing reaches a page
 * unescaped.
 */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | null | false | undefined | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const CHARACTERS = new Map(Object.entries(ENTITIES).map(([character, entity]) => [entity, character]));

/** The text of HTML without its tags, on one line. A tag of emphasis is within a word, any other between words. */
export function textOf({ html }: Html): string {
  return html
    .replaceAll(/<\/?(code|em|strong|del)>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#?\w+;/g, (entity) => CHARACTERS.get(entity) ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/**
 * A template that escapes its values unless they are already HTML. Lists are joined; null and false become
 * empty.
 */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.map((text, index) => text + rendered(parts[index])).join('') };
}

function rendered(part: Part): string {
  if (part === null || part === false || part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') {
    return String(part).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
  }
  return 'html' in part ? part.html : part.map(rendered).join('');
}
