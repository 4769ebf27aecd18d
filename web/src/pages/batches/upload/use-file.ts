import { useCallback, useRef, useState } from 'preact/hooks';
import { asProblem } from '../../../api/request.ts';
import { readTable, UnreadableFile, type Table } from '../csv/read-table.ts';
import { sha256 } from '../sending/chunks.ts';

/** A file that was chosen and read. */
export interface ReadFile {
  readonly name: string;
  readonly file: Blob;
  readonly sha256: string;
  readonly table: Table;
}

export interface FileChoice {
  readonly chosen: ReadFile | null;
  /** Bytes read so far, of how many. */
  readonly reading: { readonly name: string; readonly bytes: number; readonly of: number } | null;
  readonly problem: string | null;
  readonly choose: (file: Blob, name: string) => void;
  readonly forget: () => void;
}

export function useFile(onRead: (read: ReadFile) => void): FileChoice {
  const [state, setState] = useState<Pick<FileChoice, 'chosen' | 'reading' | 'problem'>>({
    chosen: null,
    reading: null,
    problem: null,
  });
  const latest = useRef<AbortController | null>(null);
  const choose = useCallback((file: Blob, name: string): void => {
    latest.current?.abort();
    const abort = new AbortController();
    latest.current = abort;
    const { signal } = abort;
    const onProgress = (bytes: number): void => {
      if (!signal.aborted) setState({ chosen: null, reading: { name, bytes, of: file.size }, problem: null });
    };
    onProgress(0);
    readWhole(file, name, { signal, onProgress }).then(
      (chosen) => {
        if (signal.aborted) return;
        setState({ chosen, reading: null, problem: null });
        onRead(chosen);
      },
      (error: unknown) => {
        if (signal.aborted) return;
        const problem = error instanceof UnreadableFile ? error.message : asProblem(error).message;
        setState({ chosen: null, reading: null, problem });
      },
    );
    // oxlint-disable-next-line react/exhaustive-deps -- what is done with a file is the same for as long as the page is open
  }, []);
  const forget = useCallback((): void => {
    latest.current?.abort();
    setState({ chosen: null, reading: null, problem: null });
  }, []);
  return { ...state, choose, forget };
}

async function readWhole(
  file: Blob,
  name: string,
  options: { readonly signal: AbortSignal; readonly onProgress: (bytes: number) => void },
): Promise<ReadFile> {
  const table = await readTable(file, options);
  return { name, file, table, sha256: await sha256(await file.arrayBuffer()) };
}
