import { Type } from 'typebox';
import { HTTP_ERRORS } from '../errors.ts';
import { arrayOf, integer, number, string } from './members.ts';

const common = {
  title: string(),
  status: integer(),
  request_id: string('Id of this request in the log; quote it when you ask for help.'),
};

export const Problem = Type.Object(
  {
    type: string('URI reference of the documentation of `code`.'),
    ...common,
    detail: string('A sentence: what was wrong, where, what to do.'),
    code: Type.String({
      description: 'What happened, for programs. Later versions may add codes.',
      examples: HTTP_ERRORS.map(({ code }) => code),
    }),
    instance: string(),
    retry_after: Type.Optional(integer('Seconds to wait; the same as `Retry-After`.')),
    candidates: Type.Optional(
      Type.Array(
        Type.Object(
          {
            formatted_address: string('The address in one line.'),
            latitude: number('Degrees north (WGS 84).'),
            longitude: number('Degrees east (WGS 84).'),
          },
          { title: 'AddressCandidate' },
        ),
        { description: 'For `address_not_found`: similar addresses, best first.' },
      ),
    ),
  },
  { title: 'Problem', description: 'RFC 9457 problem document; some codes add members.' },
);

export const ValidationProblem = Type.Object(
  {
    detail: Type.Array(
      Type.Object(
        {
          loc: arrayOf(
            Type.Unsafe<string | number>({ type: ['string', 'integer'] }),
            'Path of the error: ["body", "property_fields", "total_bedrooms"].',
          ),
          msg: string(),
          type: string(),
          input: Type.Unknown({ description: 'The invalid value; long values are cut.' }),
          ctx: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true }),
        },
        { title: 'FieldError' },
      ),
    ),
    code: Type.Literal('validation_error'),
    ...common,
  },
  { title: 'ValidationProblem', description: 'Every error of the request at once.' },
);
