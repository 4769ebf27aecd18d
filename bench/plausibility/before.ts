/**
 * What this command measured before values were made plausible: [Milwaukee 2022-12-31, King 2015-05-28], of houses
 * sold in the last year with all attributes stated. Checks that were added later are not here.
 */
const MEASURED: Readonly<Record<string, readonly [milwaukee: string, king: string]>> = {
  'address with a unit: value of a building of 2 or more units': ['68.7%', '–'],
  'address of 5 or more units without a unit: area of some unit as record, without a warning': ['7.3%', '–'],
  "coordinates 8 m from the parcel's point: the record is lost": ['72%', '–'],
  "coordinates 8 m from the parcel's point: median change of the value": ['5.5%', '–'],
  "coordinates 8 m from the parcel's point: 90th percentile of the change": ['24.3%', '–'],
  "coordinates 8 m from the parcel's point: another property type": ['19%', '–'],
  'sales before the year of construction that are used as sales of the home, of homes built after 2000': [
    '0.2%',
    '0.3%',
  ],
  '50 bedrooms in 1,128 sqft: a warning and a wider range': ['0%', '95%'],
  '5,000 baths: a warning and a wider range': ['80%', '100%'],
  'living area four times that of the record: a warning and a wider range': ['0%', '7%'],
  'as a mobile home: width of the range relative to a house, median': ['0.72', '0.79'],
  'buildings of 5 or more units: accuracy of their own stratum is reported': ['0%', '–'],
  'houses: +100 sqft of living area lowers the value by more than 0.5%': ['3.3%', '14%'],
  'houses: +0.5 bath changes the value by more than 20%': ['6.7%', '0%'],
  'a second unit in a house: median change of the value': ['-12.9%', '-7.1%'],
  '5 or more units, one bath per unit instead of unknown: median change of the value': ['-6.9%', '–'],
  'houses: gross adjustment at most 25% of the sale price': ['40.8%', '34.6%'],
  'houses: net adjustment at most 15% of the sale price': ['63.3%', '60.2%'],
  'houses: unexplained remainder above 10% of the sale price, within 0.1 mi': ['29.4%', '20.4%'],
  'houses: more bedrooms raise the value of the comparable, fewer lower it': ['40.6%', '31.7%'],
};

const MARKETS = ['wi-milwaukee', 'wa-king'];

/** '–' where it was not measured. */
export function measuredBefore(marketId: string, check: string): string {
  return MEASURED[check]?.[MARKETS.indexOf(marketId)] ?? '–';
}
