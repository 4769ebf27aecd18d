import { PROPERTY_TYPES, type Attributes, type PropertyType } from '../../src/domain/property.ts';
import { PlumblineError } from '../../src/errors.ts';
import { orCoverageError } from '../../src/operations/market-data/market-catalog.ts';
import type { RentalUnit } from '../../src/valuation/rental/value-units.ts';
import type { Home } from '../../src/valuation/subject.ts';
import {
  relativeWidth,
  requestOf,
  sampleSales,
  shareFinding,
  valueMultifamily,
  valueRent,
  valueSampled,
  type Finding,
  type Ranged,
  type SampledMarket,
} from './sampling.ts';

const HOMES = 100;

/** Values a home with some of its attributes changed, all of them stated. */
type ValueChanged = (home: Home, changed: Partial<Attributes>) => Promise<Ranged>;

/** Input that no real home has, or that contradicts the record. */
interface ImplausibleCase {
  readonly name: string;
  readonly change: (home: Home) => Partial<Attributes>;
}

const ODD_ROOMS: readonly ImplausibleCase[] = [
  { name: '50 bedrooms in 1,128 sqft', change: () => ({ bedrooms: 50, livingAreaSqft: 1128 }) },
  { name: '5,000 baths', change: () => ({ bathrooms: 5000 }) },
];
const ODD_AREA: ImplausibleCase = {
  name: 'living area four times that of the record',
  change: ({ attributes }) => ({ livingAreaSqft: 4 * (attributes.livingAreaSqft ?? 1500) }),
};
/** Within the limits of the API. */
const ODD_UNITS: readonly ImplausibleCase[] = [
  { name: '10 bedrooms with half a bath', change: () => ({ bedrooms: 10, bathrooms: 0.5 }) },
  { name: '10 baths', change: () => ({ bathrooms: 10 }) },
];

/** Section 3: implausible input of homes and buildings. */
export async function checkImplausible(market: SampledMarket): Promise<Finding[]> {
  const ofHome: ValueChanged = (home, changed) => valueSampled(market, home, changed);
  const ofBuilding: ValueChanged = ({ lat, lon, attributes }, changed) => {
    const request = requestOf(market.asOf, { lat, lon }, { ...attributes, ...changed });
    return valueMultifamily(market, request, attributes.totalUnits ?? 5);
  };
  return [
    ...(await checkCases(market, '', ['houses'], ofHome)),
    ...(await checkCases(market, 'buildings of 5 or more units: ', ['multifamily'], ofBuilding)),
  ];
}

async function checkCases(
  market: SampledMarket,
  prefix: string,
  types: readonly PropertyType[],
  valueChanged: ValueChanged,
): Promise<Finding[]> {
  const homes = sampleSales(market, types, HOMES).map(({ home }) => home);
  const recorded: Home[] = [];
  for (const home of homes) {
    const { valuation } = await valueChanged(home, { livingAreaSqft: null });
    const area = valuation.inputs.find(({ field }) => field === 'living_area');
    if (area?.source === 'record') recorded.push(home);
  }
  return [
    ...(await checkOdd(prefix, homes, ODD_ROOMS, valueChanged)),
    ...(await checkOdd(prefix, recorded, [ODD_AREA], valueChanged)),
    await checkUsual(`${prefix || 'homes '}as recorded`, homes, valueChanged),
  ];
}

/** Section 3: implausible input of units for rent. */
export async function checkImplausibleRents(market: SampledMarket): Promise<Finding[]> {
  const homes: Home[] = [];
  for (const { home } of sampleSales(market, PROPERTY_TYPES, HOMES)) {
    const served = await orCoverageError(market.deps.markets.at('rental', home.lat, home.lon, market.asOf));
    if (!(served instanceof PlumblineError)) homes.push(home);
  }
  const ofUnit: ValueChanged = (home, changed) => {
    const { bedrooms, bathrooms, livingAreaSqft } = { ...home.attributes, ...changed };
    const unit: RentalUnit = {
      bedrooms: bedrooms ?? 1,
      bathrooms: bathrooms ?? 1,
      sizeSqft: livingAreaSqft,
      isFurnished: false,
    };
    return valueRent(market, home, unit);
  };
  return [
    ...(await checkOdd('rents: ', homes, ODD_UNITS, ofUnit)),
    await checkUsual('rents: units as listed', homes, ofUnit),
  ];
}

async function checkOdd(
  prefix: string,
  homes: readonly Home[],
  cases: readonly ImplausibleCase[],
  valueChanged: ValueChanged,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, change } of cases) {
    const isReported: boolean[] = [];
    for (const home of homes) {
      const [usual, odd] = [await valueChanged(home, {}), await valueChanged(home, change(home))];
      if (isWarned(usual)) continue;
      const isWider = relativeWidth(odd) > relativeWidth(usual);
      isReported.push((isWarned(odd) && isWider) || isWithoutEffect(usual, odd));
    }
    findings.push(shareFinding(`${prefix}${name}: a warning and a wider range`, '100%', isReported));
  }
  return findings;
}

async function checkUsual(
  name: string,
  homes: readonly Home[],
  valueChanged: ValueChanged,
): Promise<Finding> {
  const warned: boolean[] = [];
  for (const home of homes) warned.push(isWarned(await valueChanged(home, {})));
  return shareFinding(`${name} with a warning of implausible input`, '≤ 2%', warned);
}

function isWarned({ valuation }: Ranged): boolean {
  return hasWarning(valuation, 'implausible_input');
}

/** Whether a warning says that the figure has no effect, and it has none: no range has to be wider. */
function isWithoutEffect(usual: Ranged, odd: Ranged): boolean {
  const isSame = odd.valuation.pointValue === usual.valuation.pointValue;
  return isSame && hasWarning(odd.valuation, 'not_in_training_sales');
}

function hasWarning({ warnings }: Ranged['valuation'], wanted: string): boolean {
  return warnings.some(({ code }) => code === wanted);
}
