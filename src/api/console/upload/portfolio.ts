import type { ResponseOf } from '../../../schemas/member-names.ts';
import type { SheetRow } from '../../../tables/read-sheet.ts';
import { BALANCE } from './members.ts';
import { mappedMembers, readMember, type ReadingPlan } from './read-row.ts';
import type { PortfolioBody } from './schemas.ts';
import { parseResult, resultsOfRows, type FileResults } from './write-results.ts';

/** A page of more rows is slow. The download has all. */
const MOST_ROWS = 20_000;

type PortfolioRow = ResponseOf<typeof PortfolioBody>['rows'][number];

/** The valued rows of a file in order, each with its value and the balance of its loan. */
export async function readPortfolio(
  file: FileResults,
  plan: ReadingPlan,
): Promise<Pick<ResponseOf<typeof PortfolioBody>, 'rows' | 'isTruncated'>> {
  const rows: PortfolioRow[] = [];
  const balanceOf = balanceReader(plan);
  for await (const { row, result } of resultsOfRows(file, parseResult)) {
    if (result === null) continue;
    if (rows.length >= MOST_ROWS) return { rows, isTruncated: true };
    const { data } = result;
    rows.push({
      row: row.row,
      reference: result.property_id ?? `row ${row.row}`,
      address: data?.address_info.formatted_address ?? null,
      latitude: data?.address_info.latitude ?? null,
      longitude: data?.address_info.longitude ?? null,
      valuationId: data?.valuation.valuation_id ?? null,
      value: data?.valuation.estimated_value ?? null,
      valueLow: data?.valuation.estimated_value_low ?? null,
      valueHigh: data?.valuation.estimated_value_high ?? null,
      fsd: data?.valuation.fsd ?? null,
      balance: balanceOf(row),
      error: result.error,
    });
  }
  return { rows, isTruncated: false };
}

function balanceReader(plan: ReadingPlan): (row: SheetRow) => number | null {
  const mapped = mappedMembers(plan).find(({ member }) => member.path === BALANCE);
  if (!mapped) return () => null;
  return (row) => {
    const { value } = readMember(mapped, row, plan.today);
    return typeof value === 'number' ? value : null;
  };
}
