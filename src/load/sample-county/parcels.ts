import { dayOf, type Day } from '../../domain/day.ts';
import type { Attributes, PropertyType } from '../../domain/property.ts';
import type { Random } from '../../valuation/random.ts';
import { chance, clamp, normal, streamOf, wholeBetween } from './dice.ts';
import {
  drawApartmentHouse,
  drawComplex,
  drawCondo,
  drawHouse,
  drawMobileHome,
  drawPlex,
  drawTownhome,
} from './homes.ts';
import type { Lot } from './town/lots.ts';
import type { SampleParcel } from './sample-county.ts';
import { toLatLon } from './town/terrain.ts';
import { NEIGHBOURHOODS, PLACE } from './town/town-plan.ts';
import { DAYS_PER_YEAR } from './true-value.ts';

/** Standard deviations of ln(value) that no attribute tells: of a home, and of its building, complex or park. */
export const UNSEEN_QUALITY_SD = 0.035;
export const GROUP_QUALITY_SD = 0.05;

type NewHome = Pick<SampleParcel, 'type' | 'attributes' | 'groupId' | 'floor' | 'groupQuality'> & {
  readonly lot: Lot;
  readonly unit: string;
};

/** Every home on the lots. Depends on the seed alone, so that the town is the same on every day it is made. */
export function buildParcels(seed: number, lots: readonly Lot[]): SampleParcel[] {
  const homes = [...Map.groupBy(lots, (lot) => lot.block).values()].flatMap((ofBlock) =>
    homesOnBlock(seed, ofBlock),
  );
  return homes.map((home, index) => finishParcel(streamOf(seed, `home ${index}`), home, index));
}

function homesOnBlock(seed: number, lots: readonly Lot[]): NewHome[] {
  const { block } = lots[0];
  const random = streamOf(seed, `homes ${block.id}`);
  if (block.use === 'houses') return lots.map((lot) => houseOrPlex(random, lot));
  if (block.use === 'apartments') return lots.map((lot) => apartmentHouse(random, lot));
  if (block.use === 'condos') return lots.flatMap((lot) => condoBuilding(random, lot));
  const groupQuality = GROUP_QUALITY_SD * normal(random);
  const groupId = `${block.use} ${block.id}`;
  if (block.use === 'townhomes') {
    const complex = drawComplex(random, NEIGHBOURHOODS[block.hood], 'townhomes');
    return lots.map((lot) => {
      const attributes = drawTownhome(random, complex, lot.widthFt * lot.depthFt);
      return { ...homeOn(lot, 'townhomes', attributes), groupId, groupQuality };
    });
  }
  // A mobile home park has one street address; its homes are told apart by pad.
  return lots.map((lot, pad) => {
    const atGate = { ...lot, houseNumber: lots[0].houseNumber, streetName: lots[0].streetName };
    const home = homeOn(atGate, 'mobile', drawMobileHome(random));
    return { ...home, unit: String(pad + 1), groupId, groupQuality };
  });
}

function homeOn(lot: Lot, type: PropertyType, attributes: Attributes): NewHome {
  const groupId = `${lot.block.id} ${lot.houseNumber} ${lot.streetName}`;
  return { lot, unit: '', type, attributes, groupId, floor: 1, groupQuality: 0 };
}

function houseOrPlex(random: Random, lot: Lot): NewHome {
  const hood = NEIGHBOURHOODS[lot.block.hood];
  const draw = { random, hood, lotSqft: lot.widthFt * lot.depthFt };
  return chance(random, hood.plexShare)
    ? homeOn(lot, 'small_multifamily', drawPlex(draw))
    : homeOn(lot, 'houses', drawHouse(draw));
}

function apartmentHouse(random: Random, lot: Lot): NewHome {
  const hood = NEIGHBOURHOODS[lot.block.hood];
  const attributes = drawApartmentHouse({ random, hood, lotSqft: lot.widthFt * lot.depthFt });
  return homeOn(lot, 'multifamily', attributes);
}

/** Units are numbered by floor: 101, 102 …, 201, 202 … */
function condoBuilding(random: Random, lot: Lot): NewHome[] {
  const complex = drawComplex(random, NEIGHBOURHOODS[lot.block.hood], 'condos');
  const perFloor = wholeBetween(random, 3, 5);
  const groupQuality = GROUP_QUALITY_SD * normal(random);
  return Array.from({ length: complex.stories * perFloor }, (_, at) => {
    const floor = Math.floor(at / perFloor) + 1;
    const unit = String(100 * floor + (at % perFloor) + 1);
    return { ...homeOn(lot, 'condos', drawCondo(random, complex)), unit, floor, groupQuality };
  });
}

function finishParcel(random: Random, home: NewHome, index: number): SampleParcel {
  const { lot, unit } = home;
  const yearBuilt = home.attributes.yearBuilt ?? 1970;
  const street = `${lot.houseNumber} ${lot.streetName}${unit === '' ? '' : ` #${unit}`}`;
  return {
    index,
    parcelId: `PC-${String(lot.block.id).padStart(3, '0')}-${String(index).padStart(5, '0')}`,
    address: {
      street,
      city: PLACE.city,
      stateCode: PLACE.stateCode,
      postalCode: NEIGHBOURHOODS[lot.block.hood].postalCode,
    },
    point: lot.point,
    ...toLatLon(lot.point),
    type: home.type,
    neighbourhood: lot.block.hood,
    blockId: lot.block.id,
    groupId: home.groupId,
    attributes: home.attributes,
    floor: home.floor,
    unseenQuality: UNSEEN_QUALITY_SD * clamp(normal(random), -2.5, 2.5),
    groupQuality: home.groupQuality,
    wear: clamp(1 + 0.3 * normal(random), 0.4, 1.8),
    renewedOn: drawRenewals(random, yearBuilt),
  };
}

/** Renovations are laid out far beyond any as-of date, so that the past of a home never depends on it. */
const LAST_RENEWAL_YEAR = 2075;

/** When built, then about every 27 years, never within 8. */
function drawRenewals(random: Random, yearBuilt: number): Day[] {
  const days = [dayOf(yearBuilt, 1, 1)];
  for (;;) {
    const years = 8 - 19 * Math.log(1 - random());
    const next = Math.round(days[days.length - 1] + years * DAYS_PER_YEAR);
    if (next > dayOf(LAST_RENEWAL_YEAR, 1, 1)) return days;
    days.push(next);
  }
}
