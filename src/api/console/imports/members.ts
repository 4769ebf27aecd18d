import type { Sale } from '../../../domain/sale.ts';
import { listMarketWork } from '../../../jobs/model-jobs.ts';
import type { ImportState, UploadTraining } from '../../../jobs/import-uploads.ts';
import { isRowCheck, leavingOut, type Finding } from '../../../load/checks/finding.ts';
import { describeFormat } from '../../../load/describe-format.ts';
import type { UploadedImport } from '../../../load/import-upload.ts';
import type { Inspection } from '../../../load/inspect-file.ts';
import { COLUMNS_OF } from '../../../load/rows/columns.ts';
import type { ResponseOf } from '../../../schemas/member-names.ts';
import { currentDataset } from '../../../store/datasets.ts';
import { readRents, readSales } from '../../../store/property-records.ts';
import type { Store } from '../../../store/store.ts';
import type { Upload } from '../../../store/tables/jobs.ts';
import type { ImportStateBody, InspectionBody } from './schemas.ts';

type State = ResponseOf<typeof ImportStateBody>;
type FindingMembers = ResponseOf<typeof InspectionBody>['findings'][number];

function findingMembers({ check, fixes = [], ...finding }: Finding): FindingMembers {
  const { message, column, count, examples, remedy, isBlocking } = finding;
  return {
    check,
    message,
    column,
    count,
    examples,
    remedy,
    isBlocking,
    leavingOut: isRowCheck(check) ? leavingOut(check) : null,
    fixes: fixes.map(({ label, mapping }) => ({ label, mapping: JSON.stringify(mapping) })),
  };
}

export function inspectionMembers(
  { uploadId, name }: Upload,
  inspection: Inspection,
): ResponseOf<typeof InspectionBody> {
  const {
    kind,
    rows,
    usableRows,
    repeatedRows,
    unplaced,
    columns,
    sources,
    findings,
    rejections,
    places,
    problem,
  } = inspection;
  return {
    id: uploadId,
    name,
    kind,
    format: describeFormat(inspection),
    rowCount: rows,
    usableRows,
    repeatedRows,
    unplacedRows: unplaced.length,
    columns,
    knownColumns: COLUMNS_OF[kind],
    mapping: JSON.stringify(sources),
    findings: findings.map(findingMembers),
    rejections: rejections.map(({ kind: outcome, ...rejection }) => ({
      isSkipped: outcome === 'skipped',
      ...rejection,
    })),
    places,
    problem,
  };
}

/** The state of a file that was uploaded to be imported. `state` is null before it is loaded. */
export async function stateMembers(
  store: Store,
  { uploadId, name }: Upload,
  state: ImportState | null,
): Promise<State> {
  const { submission, result = null, status = 'uploaded', failure = null } = state ?? {};
  const marketId = submission?.marketId ?? null;
  const running = status === 'running' && marketId !== null ? await progressOf(store, marketId) : null;
  return {
    id: uploadId,
    name,
    status,
    kind: submission?.kind ?? null,
    marketId,
    step: running?.step ?? null,
    share: running?.share ?? null,
    failure,
    report: result?.report ? reportMembers(result.report) : null,
    training: result?.training ? trainingMembers(result.training) : null,
    home: result?.training && marketId !== null ? await sampleHome(store, marketId) : null,
    hasRejectedRows: result?.rejectedRows != null,
  };
}

function trainingMembers(training: UploadTraining): State['training'] {
  return { ...training, models: training.models.map((model) => ({ isActive: true, ...model })) };
}

async function progressOf(store: Store, marketId: string) {
  const work = await listMarketWork(store);
  return work.find((each) => each.marketId === marketId && each.state === 'running') ?? null;
}

function reportMembers(report: NonNullable<UploadedImport['report']>): NonNullable<State['report']> {
  const { rejected, skipped, flags, checks = [], candidates } = report;
  return {
    isUnchanged: report.outcome === 'unchanged',
    rowsRead: report.rows_read,
    rowsLoaded: report.rows_loaded,
    rowsRepeated: report.rows_repeated,
    rowsTotal: report.rows_total,
    rejected: rejected.by_reason,
    skipped: skipped.by_reason,
    flagged: flags ?? {},
    unreadColumns: report.unread_columns,
    features: report.source.options.features,
    noFeatures: candidates?.rejected ?? [],
    findings: checks.map(({ is_blocking: isBlocking, ...finding }) =>
      findingMembers({ ...finding, isBlocking }),
    ),
  };
}

type Home = Pick<Sale, 'attributes' | 'parcelId'>;

/** A home of the market's sales or listings whose rooms are known. */
async function sampleHome(store: Store, marketId: string): Promise<State['home']> {
  for (const [kind, read] of [
    ['sales', readSales],
    ['rents', readRents],
  ] as const) {
    const dataset = await currentDataset(store, marketId, kind);
    if (dataset === null) continue;
    for await (const homes of read(store, dataset.rowsId)) {
      const hasRooms = ({ attributes }: Home): boolean =>
        attributes.bedrooms !== null && attributes.bathrooms !== null;
      // A home with a parcel id has a record, so its value needs no assumptions.
      const recorded = homes.find((one) => one.parcelId !== null && hasRooms(one));
      const home = recorded ?? homes.find(hasRooms) ?? homes.at(0);
      if (home) return { latitude: home.lat, longitude: home.lon };
    }
  }
  return null;
}
