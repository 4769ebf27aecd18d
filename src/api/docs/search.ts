import { html, type Html } from '../../html.ts';
import type { Route } from '../route.ts';
import type { Guide } from './guides.ts';
import { anchorOf, plainText } from './markdown.ts';

/** A section of a guide, or an operation of the reference. */
export interface Section {
  /** The page and the section. */
  readonly title: string;
  readonly url: string;
  readonly text: string;
}

interface Found {
  readonly section: Section;
  /** The text around the first word that was found. */
  readonly excerpt: string;
}

const MOST_FOUND = 30;
const EXCERPT_LENGTH = 200;

/** Everything that can be found: each section of each guide, and each operation. */
export function sectionsOf(routes: readonly Route[], guides: readonly Guide[]): Section[] {
  return [...guides.flatMap(sectionsOfGuide), ...routes.map(sectionOfRoute)];
}

function sectionsOfGuide({ path, title, text }: Guide): Section[] {
  return text.split(/^(?=## )/m).map((part) => {
    const [, heading] = /^## (.+)/.exec(part) ?? [];
    const url = `/docs/${path}`;
    const below = plainText(part.replace(/^#.*/, ''));
    if (heading === undefined) return { title, url, text: below };
    return { title: `${title}: ${plainText(heading)}`, url: `${url}#${anchorOf(heading)}`, text: below };
  });
}

function sectionOfRoute({ method, path, operationId, summary, description = '' }: Route): Section {
  return {
    title: `${method} ${path}`,
    url: `/docs#${operationId}`,
    text: plainText(`${summary}.\n\n${description}`),
  };
}

/** Sections that contain every word, those with the words in the title first. */
export function findSections(sections: readonly Section[], query: string): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, rank: rankOf(section, words) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, MOST_FOUND)
    .map(({ section }) => ({ section, excerpt: excerptOf(section.text, words) }));
}

/** 0 unless every word is somewhere. A word in the title counts as ten in the text. */
function rankOf({ title, text }: Section, words: readonly string[]): number {
  const [head, body] = [title.toLowerCase(), text.toLowerCase()];
  const points = words.map((word) => (head.includes(word) ? 10 : 0) + Math.min(3, countOf(body, word)));
  return points.includes(0) ? 0 : points.reduce((sum, one) => sum + one, 0);
}

function countOf(text: string, word: string): number {
  return text.split(word).length - 1;
}

function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - EXCERPT_LENGTH / 4);
  const part = text.slice(start, start + EXCERPT_LENGTH);
  return `${start > 0 ? '… ' : ''}${part}${start + part.length < text.length ? ' …' : ''}`;
}

/** The page of what was found. */
export function renderFound(query: string, found: readonly Found[]): Html {
  return html`<article>
    <h1>Search</h1>
    <p>
      ${
        found.length === 0
          ? html`Nothing contains every word of “${query}”. Try fewer or other words.`
          : html`${found.length === MOST_FOUND ? 'The first ' : ''}${found.length}
            ${found.length === 1 ? 'section contains' : 'sections contain'} “${query}”.`
      }
    </p>
    ${found.map(
      ({ section: { title, url }, excerpt }) =>
        html`<h2 class="found"><a href="${url}">${title}</a></h2>
          <p>${excerpt}</p>`,
    )}
  </article>`;
}
