import type { Valued } from '../../api/valuations.ts';
import { EMPTY_REQUEST, FIELDS_OF, valueOf, type FieldValue, type ValueRequest } from './value-request.ts';

/** The request of a past valuation: its place and date, and the details that were given. */
export function requestOf(past: Valued): ValueRequest {
  const { formatted_address: address, latitude, longitude } = past.response.address_info;
  const { as_of_date: date, inputs } = past.response.valuation;
  const fields: Record<string, FieldValue> = {};
  for (const { field, value, source } of inputs) {
    const control = FIELDS_OF[past.kind].find(({ name }) => name === field);
    const given = control && source === 'request' && value !== null ? valueOf(control, String(value)) : null;
    if (given !== null) fields[field] = given;
  }
  const point = latitude === null || longitude === null ? null : { latitude, longitude };
  return {
    ...EMPTY_REQUEST,
    kind: past.kind,
    where: address === null ? point : { address },
    date,
    fields,
    units:
      past.kind === 'rent'
        ? past.response.valuation.units.map(({ bedrooms, bathrooms, size, is_furnished }) => {
            return { bedrooms, bathrooms, size, is_furnished };
          })
        : [],
  };
}
