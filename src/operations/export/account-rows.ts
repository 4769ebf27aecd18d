import { formatDay } from '../../domain/day.ts';
import { instant } from '../../domain/instant.ts';
import { toSnakeCaseText } from '../../schemas/member-names.ts';
import { readUsageDays, type UsageFilter } from '../../store/usage-days.ts';
import type { Store } from '../../store/store.ts';
import type { ValuationRecord } from '../../store/tables/accounts.ts';
import { readLoggedValuations, type LogFilter } from '../../store/valuation-log.ts';
import type { Cell } from '../../tables/write-csv.ts';
import type { TableColumn } from '../../tables/table-column.ts';
import type { WritableTable } from '../../tables/write-table-file.ts';
import { recordedResponse } from '../past/past-valuations.ts';

const ID_COLUMNS: readonly TableColumn[] = [
  { name: 'valuation_id', type: 'text' },
  { name: 'account_id', type: 'text' },
  { name: 'key_id', type: 'text' },
  { name: 'kind', type: 'text' },
  { name: 'created_at', type: 'text' },
  { name: 'credits', type: 'number' },
];

function idsOf({ valuationId, accountId, keyId, kind, createdAt, credits }: ValuationRecord): Cell[] {
  return [valuationId, accountId, keyId, kind, instant(createdAt), credits];
}

const PLACE_COLUMNS: readonly TableColumn[] = [
  { name: 'formatted_address', type: 'text' },
  { name: 'latitude', type: 'number' },
  { name: 'longitude', type: 'number' },
];

const VALUE_COLUMNS: readonly TableColumn[] = [
  { name: 'as_of_date', type: 'text' },
  { name: 'property_type', type: 'text' },
  { name: 'total_units', type: 'number' },
  { name: 'point_value', type: 'number' },
  { name: 'estimated_value_low', type: 'number' },
  { name: 'estimated_value_high', type: 'number' },
  { name: 'fsd', type: 'number' },
  { name: 'confidence_level', type: 'text' },
  { name: 'warnings', type: 'text' },
];

/** The values of the kept valuations: one row for each, with its place, value and range. */
export function exportValues(store: Store, filter: LogFilter): WritableTable {
  return exportLog(store, filter, VALUE_COLUMNS, (record) => {
    const { valuation } = recordedResponse(record);
    return [
      valuation.asOfDate,
      valuation.propertyType,
      valuation.totalUnits,
      valuation.pointValue,
      valuation.estimatedValueLow,
      valuation.estimatedValueHigh,
      valuation.fsd,
      valuation.confidenceLevel,
      valuation.warnings.map(({ code }) => code).join(' '),
    ];
  });
}

const TEXT_COLUMNS: readonly TableColumn[] = [
  { name: 'request', type: 'text' },
  { name: 'inputs', type: 'text' },
  { name: 'response', type: 'text' },
];

/** The kept valuations as JSON: the request and the inputs as they are stored, the response as it was sent. */
export function exportValuations(store: Store, filter: LogFilter): WritableTable {
  return exportLog(store, filter, TEXT_COLUMNS, ({ request, inputs, response }) => [
    request,
    inputs,
    toSnakeCaseText(response),
  ]);
}

function exportLog(
  store: Store,
  filter: LogFilter,
  more: readonly TableColumn[],
  cellsOf: (record: ValuationRecord) => Cell[],
): WritableTable {
  const columns = [...ID_COLUMNS, ...PLACE_COLUMNS, ...more];
  const rows = async function* (): AsyncGenerator<Cell[]> {
    for await (const page of readLoggedValuations(store, filter)) {
      for (const record of page) {
        const { formattedAddress, latitude, longitude } = recordedResponse(record).addressInfo;
        yield [...idsOf(record), formattedAddress, latitude, longitude, ...cellsOf(record)];
      }
    }
  };
  const lat = columns.findIndex(({ name }) => name === 'latitude');
  return { columns, rows: rows(), point: { lat, lon: lat + 1 } };
}

const USAGE_COLUMNS: readonly TableColumn[] = [
  { name: 'account_id', type: 'text' },
  { name: 'period', type: 'text' },
  { name: 'day', type: 'text' },
  { name: 'key_id', type: 'text' },
  { name: 'operation', type: 'text' },
  { name: 'requests', type: 'number' },
  { name: 'credits', type: 'number' },
];

/** Requests and credits by account, day, key and operation. */
export function exportUsage(store: Store, filter: UsageFilter): WritableTable {
  const rows = async function* (): AsyncGenerator<Cell[]> {
    for await (const page of readUsageDays(store, filter)) {
      for (const { accountId, period, day, keyId, operation, requests, credits } of page) {
        yield [accountId, period, formatDay(day), keyId, operation, requests, credits];
      }
    }
  };
  return { columns: USAGE_COLUMNS, rows: rows(), point: null };
}
