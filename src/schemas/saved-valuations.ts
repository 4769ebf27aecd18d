import { Type } from 'typebox';
import { VALUATION_KINDS } from '../domain/valuation-kind.ts';
import { nextCursor, pageMembers } from './batch.ts';
import { Warnings } from './location.ts';
import { arrayOf, nullable, number, oneOf, optional, responseObject, string } from './members.ts';

export const SAVED_LIMIT = { default: 50, max: 200 } as const;
const MOST_TAGS = 20;
const TAG_LENGTH = { minLength: 1, maxLength: 50 } as const;

export const SaveValuationRequestBody = Type.Object(
  {
    name: optional.string('What to call it.', {
      maxLength: 200,
      'x-when-omitted': 'the address of the property, else the id',
    }),
    tags: optional.list<string>(Type.String(TAG_LENGTH), 'Such as `appeal` or `2026`.', {
      maxItems: MOST_TAGS,
    }),
    note: optional.string('Anything worth remembering.', { maxLength: 4000 }),
  },
  { title: 'SaveValuationRequest' },
);

export const SavedValuationsRequestBody = Type.Object(
  {
    ...pageMembers('saved valuations', SAVED_LIMIT, ', with the same search'),
    find: optional.string(
      'Words in upper or lower case. Lists only those with all of them in name, note, address or tags.',
      { maxLength: 100 },
    ),
    tag: optional.string('Lists only those with exactly this tag.', TAG_LENGTH),
  },
  { title: 'SavedValuationsRequest' },
);

export const SavedValuationBody = responseObject('SavedValuation', {
  valuation_id: string(),
  kind: oneOf(VALUATION_KINDS),
  name: string(),
  tags: arrayOf(Type.String()),
  note: string('Empty without a note.'),
  formatted_address: nullable.string(),
  as_of_date: string('The as-of date.', { format: 'date' }),
  point_value: number('Whole USD; of a rent per month.'),
  saved_at: string(undefined, { format: 'date-time' }),
  saved_by: string('Name of the user or key.'),
});

export const SavedValuationsBody = responseObject('SavedValuations', {
  saved: arrayOf(SavedValuationBody, 'The newest valuation first.'),
  next_cursor: nextCursor,
  warnings: Warnings,
});
