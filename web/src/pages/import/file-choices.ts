import { useCallback, useState } from 'preact/hooks';
import type { ImportKind } from '../../api/imports.ts';
import type { Decisions } from './findings.tsx';

/** What the user chose for a file. */
export interface FileChoices {
  /** Null until it is recognized or chosen. */
  readonly kind: ImportKind | null;
  /** As JSON; null = suggested. */
  readonly mapping: string | null;
  /** Null = all columns that may be features. */
  readonly features: readonly string[] | null;
  readonly decisions: Decisions;
  /** Whether more invalid rows than usual are left out. */
  readonly leavesOut: boolean;
  /** Whether the file replaces all rows of its kind. */
  readonly replaces: boolean;
  /** Of a price index: the code of its place, and the days to the publication of a figure. */
  readonly place: string;
  readonly days: string;
}

export const NOTHING_CHOSEN: FileChoices = {
  kind: null,
  mapping: null,
  features: null,
  decisions: { accept: [], leaveOut: [] },
  leavesOut: false,
  replaces: false,
  place: '',
  days: '',
};

/** What a file that replaces all rows of its kind replaces. */
export const REPLACED: Readonly<Record<ImportKind, string>> = {
  sales: 'all sales',
  rents: 'all rental listings',
  parcels: 'all parcels',
  addresses: 'all addresses',
  index: 'all price indexes',
};

export const NEW_MARKET = '';

/** What the user chose for an import: the market of all files, and how each file is read. */
export interface ImportChoices {
  readonly market: string;
  /** The name of a new market. */
  readonly newName: string;
  readonly trains: boolean;
  /** By id of the file. */
  readonly files: Readonly<Record<string, FileChoices>>;
}

const STORAGE_KEY = 'plumbline.import';

/** The choices are kept when the page is reloaded or left. Only those of the last import; storage may be denied or damaged. */
function stored(ids: readonly string[]): ImportChoices | null {
  try {
    const choices: ImportChoices | null = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null');
    return choices !== null && ids.some((id) => id in choices.files) ? choices : null;
  } catch {
    return null;
  }
}

function store(choices: ImportChoices): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(choices));
  } catch {
    // The choices are then lost when the page is closed.
  }
}

/** @param market the market that is suggested */
export function useImportChoices(ids: readonly string[], market: string) {
  const [choices, setChoices] = useState<ImportChoices>(
    () => stored(ids) ?? { market, newName: '', trains: true, files: {} },
  );
  const change = useCallback((changed: (before: ImportChoices) => Partial<ImportChoices>): void => {
    setChoices((before) => {
      const next = { ...before, ...changed(before) };
      store(next);
      return next;
    });
  }, []);
  const changeFile = useCallback(
    (id: string, changed: Partial<FileChoices>): void =>
      change(({ files }) => ({ files: { ...files, [id]: { ...NOTHING_CHOSEN, ...files[id], ...changed } } })),
    [change],
  );
  return { choices, change, changeFile };
}
