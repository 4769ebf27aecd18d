import { Type } from 'typebox';
import { ERROR_STATUS } from '../errors.ts';

const common = {
  title: Type.String(),
  status: Type.Integer(),
  request_id: Type.String({ description: 'Name it when you ask for help; it is in the service’s log.' }),
};

export const Problem = Type.Object(
  {
    type: Type.String({ description: 'Names the code as a URI reference.' }),
    ...common,
    detail: Type.String({ description: 'A sentence: what was wrong, where, what to do.' }),
    code: Type.String({
      description: 'What happened, for programs. Later versions may know more codes.',
      examples: Object.keys(ERROR_STATUS).filter((code) => code !== 'usage'),
    }),
    instance: Type.String(),
    candidates: Type.Optional(
      Type.Array(
        Type.Object(
          {
            formatted_address: Type.String({ description: 'The address in one line.' }),
            latitude: Type.Number({ description: 'Degrees north (WGS 84).' }),
            longitude: Type.Number({ description: 'Degrees east (WGS 84).' }),
          },
          { title: 'AddressCandidate' },
        ),
        { description: 'Of `address_not_found`: addresses that may have been meant, best first.' },
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
          loc: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] }), {
            description: 'Where, from the outside in: ["body", "property_fields", "total_bedrooms"].',
          }),
          msg: Type.String(),
          type: Type.String(),
          input: Type.Unknown({ description: 'The offending value; long ones are cut.' }),
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
