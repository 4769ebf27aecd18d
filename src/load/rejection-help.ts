/** Why a row was rejected or skipped, and what to do, by reason. Other reasons explain themselves. */
export const REJECTION_HELP: Readonly<Record<string, string>> = {
  wrong_number_of_cells:
    'The row has more or fewer cells than the header. Put cells that contain the delimiter in quotes.',
  not_a_number: 'The cell is not a number. Correct it, or leave the cell empty.',
  rounded_number:
    'A spreadsheet has rounded the number, so that 2.02E+05 may be 202,437. Export the column as plain numbers.',
  date_for_number: 'A spreadsheet has turned the cell into a date. Export the column as text.',
  negative: 'A count, an area or a price cannot be negative. Correct it, or leave the cell empty.',
  too_large: 'The number is too large for its column. Check that the column is the right one.',
  not_yes_or_no: 'The cell is neither yes nor no. Correct it, or leave the cell empty.',
  condition_outside_1_to_5: 'Condition is 1 (poor) to 5 (excellent). Write it so, or do not read the column.',
  unknown_property_type:
    'The property type is unknown. Write houses, condos, townhomes, small_multifamily, multifamily or mobile.',
  not_a_date: 'The cell is not a date. Write dates as YYYY-MM-DD.',
  date_in_future: 'The date is after today. Correct it, or check the order of day and month.',
  date_before_1900: 'The date is before 1900. Correct it, or leave the cell empty.',
  missing: 'A required cell is empty. Fill it, or delete the row.',
  outside_the_earth:
    'Latitude is between -90 and 90, longitude between -180 and 180. Export coordinates as WGS84 degrees, and check that the columns are not swapped.',
  no_coordinates: 'An address needs its latitude and longitude.',
  not_located:
    'The row has no coordinates, and no imported parcel or address locates it. Import parcels or addresses with coordinates first.',
  record_id_repeated: 'Two different rows have the same record_id. Map a column that is unique.',
  parcels_id_repeated: 'Two different rows have the same parcel_id. Keep one of them.',
  rounded: 'The id is a number that has lost its last digits. Write ids as text.',
  control_character: 'The text contains a control character. Remove it.',
  last_seen_before_listed: 'A listing was last seen before it was listed. Correct one of the dates.',
  no_price: 'The price is empty or 0, so that the row is not a sale.',
  not_sold: 'The status of the listing says that the home is not sold.',
  land_sale: 'Only land was sold: the home of the record was built later, and is not what was paid for.',
  active_and_sold:
    'The status may be that of a home for sale or of a parcel, and the row has a date of sale. Do not read the column if it is the status of the parcel; otherwise leave these rows out.',
  not_residential:
    'The property type is not that of a home that is sold: land, a business, parking or a lease.',
  no_value: 'The publisher has no figure for the period.',
  other_place: 'The figure is of another place.',
  other_index: 'The figure is of another index of the same place. One index is used.',
  not_seasonally_adjusted: 'The series has seasonally adjusted figures, and this one is not.',
  second_header: 'The row repeats the names of the columns.',
  not_positive: 'An index is above 0. Correct the figure.',
  not_monthly_or_quarterly:
    'Indexes are monthly or quarterly. Give a quarter or month, or the frequency and period.',
  period_repeated: 'The series has two different figures for one period. Keep one of them.',
  period_in_future: 'The period has not ended. Correct its date.',
  published_before_period_end:
    'A figure cannot be published before its period ends. Correct one of the dates.',
  unknown_class:
    'No column names the class of the feature. Give its class with --layer-class, or name the column as OpenStreetMap or TIGER do.',
  not_a_line: 'Roads are lines. Import areas as another layer.',
  not_a_polygon: 'The feature is not an area. Points and lines cannot be imported here.',
  out_of_range:
    'A coordinate is not a longitude or latitude. Reproject the file: ogr2ogr -t_srs EPSG:4326 (GDAL).',
  no_rent: 'The rent is empty or 0, so that the row is not a listing.',
};

/** What a mapping does about the same, on the command line. */
const MAPPING_HELP: Readonly<Record<string, string>> = {
  not_a_number: 'A mapping replaces values: {"map": {"ask agent": null}}.',
  not_yes_or_no: 'A mapping replaces values: {"map": {"central": "yes"}}.',
  condition_outside_1_to_5: 'A mapping replaces values: {"map": {"7": 4}}.',
  unknown_property_type: 'A mapping replaces values: {"map": {"RES": "houses"}}.',
  active_and_sold: 'A mapping leaves the column out: {"listing_status": {"const": ""}}.',
  not_a_date: 'A mapping gives their form: {"format": "D/M/YYYY"}.',
};

/** What to do in the console, which has fields for what a mapping does; '' for a reason that explains itself. */
export function helpInConsole(reason: string): string {
  return REJECTION_HELP[reason] ?? '';
}

/** The same with mappings, for the command line; '' for a reason that explains itself. */
export function helpWithMapping(reason: string): string {
  return [REJECTION_HELP[reason], MAPPING_HELP[reason]].filter((text) => text !== undefined).join(' ');
}
