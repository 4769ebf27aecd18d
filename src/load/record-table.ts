import { ATTRIBUTES, type Attribute, type OwnFeatures } from '../domain/property.ts';
import type { Sale } from '../domain/sale.ts';
import {
  createCodedColumn,
  createNumberColumn,
  createTextColumn,
  type CodedColumn,
} from './growing-columns.ts';

/** What sales and rental listings share: the address, coordinates and attributes of a home. */
export type MarketRecord = Pick<
  Sale,
  'recordId' | 'parcelId' | 'datePrecision' | 'address' | 'lat' | 'lon' | 'type' | 'attributes' | 'features'
>;

/** The members of a record besides its address, attributes and features. */
export type RecordMember<Row> = {
  readonly member: Exclude<keyof Row, 'address' | 'attributes' | 'features'> & string;
  readonly type: string;
};

interface RecordTable<Row> {
  readonly length: () => number;
  readonly at: (row: number) => Row;
  readonly push: (record: Row) => void;
  /** Changes a record. Its ids and street stay. */
  readonly change: (row: number, record: Row) => void;
}

/** A column of values of one record, which are text, numbers, yes/no or null. */
interface MemberColumn {
  readonly at: (row: number) => unknown;
  readonly set: (row: number, value: unknown) => void;
}

/**
 * Records as columns, about 100 bytes each where an object with its texts takes 900. A record is made when it is read, equal
 * to the one that was added.
 */
export function createRecordTable<Row extends MarketRecord>(
  members: readonly RecordMember<Row>[],
): RecordTable<Row> {
  const [recordIds, parcelIds, streets] = [createTextColumn(), createTextColumn(), createTextColumn()];
  const [cities, states, postalCodes] = Array.from({ length: 3 }, () => createCodedColumn<string>());
  const columns = members
    .filter(({ member }) => member !== 'recordId' && member !== 'parcelId')
    .map(({ member, type }) => ({ member, column: createMemberColumn(type) }));
  const attributes = ATTRIBUTES.map((attribute) => ({ attribute, column: createNumberColumn() }));
  const features = createFeatureColumns();
  let length = 0;

  function change(row: number, record: Row): void {
    const { city, stateCode, postalCode } = record.address;
    cities.set(row, city);
    states.set(row, stateCode);
    postalCodes.set(row, postalCode);
    for (const { member, column } of columns) column.set(row, record[member]);
    for (const { attribute, column } of attributes) column.set(row, record.attributes[attribute]);
    features.set(row, record.features);
  }

  return {
    length: () => length,
    change,
    push(record) {
      recordIds.push(record.recordId);
      parcelIds.push(record.parcelId ?? '');
      streets.push(record.address.street);
      change(length++, record);
    },
    at(row) {
      const known = {} as Record<Attribute, number | null>;
      for (const { attribute, column } of attributes) known[attribute] = column.at(row);
      const record: Record<string, unknown> = {
        recordId: recordIds.at(row),
        parcelId: parcelIds.at(row) || null,
        address: {
          street: streets.at(row),
          city: cities.at(row),
          stateCode: states.at(row),
          postalCode: postalCodes.at(row),
        },
        attributes: known,
        features: features.at(row),
      };
      for (const { member, column } of columns) record[member] = column.at(row);
      // Every member of the record is in `members` or above, as record-table.test.ts says.
      return record as unknown as Row;
    },
  };
}

function createMemberColumn(type: string): MemberColumn {
  if (type === 'text') {
    const { at, set } = createCodedColumn<string>();
    return { at, set: (row, value) => set(row, typeof value === 'string' ? value : null) };
  }
  const { at, set } = createNumberColumn();
  const isYesNo = type === 'yes_no';
  return {
    at: (row) => {
      const value = at(row);
      return isYesNo && value !== null ? value === 1 : value;
    },
    set: (row, value) => set(row, value === null ? null : Number(value)),
  };
}

const NO_FEATURES: OwnFeatures = {};

/** The market's own features, with the order of their names in each record. */
function createFeatureColumns() {
  const names = createCodedColumn<string>();
  const namesOf = new Map<string, readonly string[]>();
  const columns = new Map<string, CodedColumn<string>>();
  return {
    at(row: number): OwnFeatures {
      const list = names.at(row);
      if (list === null) return NO_FEATURES;
      const features: Record<string, string> = {};
      for (const name of namesOf.get(list) ?? []) features[name] = columns.get(name)?.at(row) ?? '';
      return features;
    },
    set(row: number, features: OwnFeatures): void {
      const own = Object.keys(features);
      const list = own.length === 0 ? null : own.join('\0');
      names.set(row, list);
      if (list !== null) namesOf.set(list, own);
      for (const name of own) {
        const column = columns.get(name) ?? createCodedColumn<string>();
        columns.set(name, column);
        column.set(row, features[name]);
      }
    },
  };
}
