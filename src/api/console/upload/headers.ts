/** What a column of a file is called: in the console, and by people who make files. */
export interface Header {
  readonly label: string;
  readonly names: readonly string[];
}

function header(label: string, names: string): Header {
  return { label, names: names.split(', ') };
}

/** By path of the member. Names are compared by their letters and digits alone. The fields of a property are in src/domain/property-attributes.ts. */
export const HEADERS: Readonly<Record<string, Header | undefined>> = {
  property_id: header(
    'Your reference',
    'reference, ref, id, loan number, loan id, loan, client reference, property id, account number, apn, parcel, parcel id, parcel number, pin',
  ),
  'location.address': header(
    'Address (full, or street line)',
    'address, full address, property address, site address, situs address, situs, formatted address, street address, street, address 1, address line 1, address1, location',
  ),
  'part.unit': header(
    'Unit or apartment',
    'unit, apt, apartment, suite, unit number, unit no, address 2, address line 2',
  ),
  'part.city': header('City', 'city, town, municipality, situs city, property city, site city'),
  'part.state': header('State', 'state, st, state code, situs state, property state, site state'),
  'part.postal_code': header(
    'ZIP code',
    'zip, zip code, zipcode, postal code, postcode, zip5, situs zip, property zip, site zip',
  ),
  'location.latitude': header('Latitude', 'lat, y, y coordinate'),
  'location.longitude': header('Longitude', 'lon, lng, long, x, x coordinate'),
  'search_params.date': header(
    'As-of date',
    'as of date, as of, valuation date, value date, effective date, appraisal date, date of value',
  ),
  'search_params.num_comps': header(
    'Comparables to return',
    'num comparables, number of comparables, comps, comparables',
  ),
  'search_params.radius_mi': header('Comparables within (miles)', 'radius, radius miles'),
  'search_params.lookback_months': header('Comparables sold within (months)', 'lookback, months back'),
};
