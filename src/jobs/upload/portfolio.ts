import type { ResponseOf } from '../../schemas/member-names.ts';
import { countRow, noRows, type CountedRows } from './counted-rows.ts';
import { createHomeFinder } from './home-of-row.ts';
import type { PortfolioBody } from '../../schemas/uploads.ts';
import { parseResult, resultsOfRows, type FileResults } from './file-results.ts';

/** A page of more rows is slow. The download has all. */
const MOST_ROWS = 20_000;

type PortfolioRow = ResponseOf<typeof PortfolioBody>['rows'][number];
type FileWarning = ResponseOf<typeof PortfolioBody>['warnings'][number];

/** The valued rows of a file in order, each with its value, the balance of its loan and its assessed value. */
export async function readPortfolio(
  file: FileResults,
): Promise<Omit<ResponseOf<typeof PortfolioBody>, 'previous'>> {
  const rows: PortfolioRow[] = [];
  const firstRowOf = createHomeFinder(file);
  const warnings = new Map<string, CountedRows & Omit<FileWarning, 'count' | 'rows'>>();
  const found = (isTruncated: boolean) => ({
    rows,
    warnings: [...warnings.values()].sort((a, b) => b.count - a.count),
    isTruncated,
  });
  for await (const { row, result } of resultsOfRows(file, parseResult)) {
    if (result === null) continue;
    if (rows.length >= MOST_ROWS) return found(true);
    const { data } = result;
    const place = data?.address_info;
    const loan = file.readBalance?.(row);
    for (const { code, field, message } of data?.valuation.warnings ?? []) {
      const key = `${code} ${field}`;
      const warning = warnings.get(key) ?? { code, field, example: message, ...noRows() };
      warnings.set(key, warning);
      countRow(warning, row.row);
    }
    const first = firstRowOf(row, data);
    rows.push({
      row: row.row,
      repeatsRow: first === row.row ? null : first,
      reference: result.property_id ?? `row ${row.row}`,
      address: place?.formatted_address ?? null,
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
      valuationId: data?.valuation.valuation_id ?? null,
      value: data?.valuation.estimated_value ?? null,
      valueLow: data?.valuation.estimated_value_low ?? null,
      valueHigh: data?.valuation.estimated_value_high ?? null,
      fsd: data?.valuation.fsd ?? null,
      balance: loan?.balance ?? null,
      balanceProblem: loan?.problem ?? null,
      assessedValue: file.readAssessed?.(row) ?? null,
      errorCode: result.error_code,
      error: result.error,
    });
  }
  return found(false);
}
