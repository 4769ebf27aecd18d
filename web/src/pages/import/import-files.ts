import { useEffect, useState } from 'preact/hooks';
import {
  inspectImport,
  type ImportInspection,
  type ImportKind,
  type ImportState,
} from '../../api/imports.ts';
import type { Problem } from '../../api/problem.ts';
import { useRequest } from '../../api/use-request.ts';
import { NEW_MARKET, NOTHING_CHOSEN, type FileChoices, type ImportChoices } from './file-choices.ts';
import { likelyKind } from './likely-kind.ts';
import { inLoadOrder, placersOf, withPlacedLater } from './load-order.ts';
import { openDecisions } from './open-decisions.ts';

/** The last inspection of a file. */
export interface Inspected {
  readonly inspection: ImportInspection | null;
  readonly problem: Problem | null;
  readonly isInspecting: boolean;
}

const NOT_INSPECTED: Inspected = { inspection: null, problem: null, isInspecting: false };

/** A file of an import: its state, what the user chose, and what its inspection found. */
export interface FileToLoad extends Inspected {
  readonly id: string;
  readonly state: ImportState;
  readonly kind: ImportKind | null;
  readonly choices: FileChoices;
  /** The files that place its rows without coordinates and are not loaded yet. */
  readonly waitsFor: readonly ImportState[];
  /** What must be decided before it can be loaded; null while that is not known. */
  readonly open: readonly string[] | null;
}

/** Whether a file is not loaded, and its import is not queued. */
export function isPrepared({ status }: ImportState): boolean {
  return status === 'uploaded' || status === 'failed';
}

export function isBeingLoaded({ status }: ImportState): boolean {
  return status === 'queued' || status === 'running';
}

/** The files of an import in the order in which they are loaded. */
export function describeFiles(
  states: readonly ImportState[],
  files: ImportChoices['files'],
  inspected: Readonly<Record<string, Inspected>>,
): FileToLoad[] {
  const kinds = states.map((state) => {
    const choices = files[state.id] ?? NOTHING_CHOSEN;
    return { state, choices, kind: isPrepared(state) ? (choices.kind ?? state.kind) : state.kind };
  });
  const known = inLoadOrder(kinds);
  return known.map(({ state, choices, kind }) => {
    const { inspection: found, ...request } = inspected[state.id] ?? NOT_INSPECTED;
    const isCurrent = found !== null && (kind === null || found.kind === kind);
    const placers = found !== null && kind !== null && found.unplaced_rows > 0 ? placersOf(kind, known) : [];
    const waitsFor = placers.map((file) => file.state).filter(({ status }) => status !== 'complete');
    // What was chosen since the last inspection is kept when more is chosen.
    const current = isCurrent ? { ...found, mapping: choices.mapping ?? found.mapping } : null;
    const inspection = current !== null && waitsFor.length > 0 ? withPlacedLater(current) : current;
    const isKnown = inspection !== null && kind !== null && !request.isInspecting && request.problem === null;
    const open = isKnown && inspection.problem === null ? openDecisions(inspection, choices) : null;
    return { ...request, id: state.id, state, kind, choices, inspection, waitsFor, open };
  });
}

/** The file is inspected when the user pauses choosing. */
const INSPECT_PAUSE_MS = 250;

/** Inspects a file whenever its choices change, and shows nothing. */
export function InspectFile(props: {
  readonly file: FileToLoad;
  readonly market: string;
  readonly onInspected: (id: string, inspected: Inspected) => void;
  readonly onKind: (id: string, kind: ImportKind) => void;
}) {
  const { file, market, onInspected, onKind } = props;
  const { id, kind } = file;
  const { mapping, features, decisions } = file.choices;
  // The market places the rows without coordinates. Without such rows it changes nothing.
  const [isMarketUsed, setMarketUsed] = useState(false);
  const placedBy = isMarketUsed && market !== NEW_MARKET ? market : null;
  const { leaveOut } = decisions;
  const reading = { kind: kind ?? 'sales', mapping, features, leave_out: leaveOut, market_id: placedBy };
  const { data, problem, isLoading } = useRequest(
    (signal) => inspectImport(id, reading, signal),
    [id, reading.kind, mapping, features, leaveOut, placedBy],
    INSPECT_PAUSE_MS,
  );
  const hasUnplaced = (data?.unplaced_rows ?? 0) > 0;
  useEffect(() => {
    onInspected(id, { inspection: data, problem, isInspecting: isLoading });
    if (hasUnplaced) setMarketUsed(true);
    if (kind === null && data !== null) onKind(id, likelyKind(data.columns) ?? 'sales');
  }, [id, kind, data, problem, isLoading, hasUnplaced, onInspected, onKind]);
  return null;
}
