import { formatUsd } from './display-format.ts';
import { labelOf } from './field-words.ts';

/** Among the details of the line “other”: the price of the earlier sale by which the model knows a home. */
export const EARLIER_SALE = 'earlier_sale';

interface AdjustmentLine {
  readonly subject: number | string | null;
  readonly comp: number | string | null;
}

/** A detail of the line “other”, and what the two homes have. */
export interface OtherDetail {
  readonly field: string;
  readonly comp: string;
  readonly subject: string;
}

/**
 * The details of the line “other”, whose values are texts such as `num_stories 1, has_deck no`: the same details of
 * both homes, in the same order. Empty if a text cannot be divided.
 */
export function otherDetails({ comp, subject }: Pick<AdjustmentLine, 'comp' | 'subject'>): OtherDetail[] {
  if (typeof comp !== 'string' || typeof subject !== 'string') return [];
  const [ofComp, ofSubject] = [comp.split(', '), subject.split(', ')];
  if (ofComp.length !== ofSubject.length) return [];
  return ofComp.map((text, at) => {
    // Names may contain spaces: both texts begin with the name.
    const other = ofSubject[at];
    let length = 0;
    while (length < text.length && text[length] === other[length]) length++;
    const end = text.slice(0, length).lastIndexOf(' ');
    return { field: text.slice(0, end), comp: text.slice(end + 1), subject: other.slice(end + 1) };
  });
}

/** `Deck or balcony: no → yes`, `Earlier sale: none → $125,000`: what the comparable has, then the subject. */
export function detailWords({ field, comp, subject }: OtherDetail): string {
  const wordOf = (text: string): string =>
    field === EARLIER_SALE && Number(text) > 0 ? formatUsd(Number(text)) : text;
  return `${labelOf(field)}: ${wordOf(comp)} → ${wordOf(subject)}`;
}

/**
 * Whether a sale was compared with an estimate of a detail.
 *
 * @param known names of its entered and recorded details if the user added it. Null for sales of the data.
 */
export function isEstimate(field: string, known: Pick<ReadonlySet<string>, 'has'> | null): boolean {
  return known !== null && field !== EARLIER_SALE && field !== 'property_type' && !known.has(field);
}
