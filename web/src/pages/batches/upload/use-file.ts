import { useCallback, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../../api/problem.ts';
import { asProblem } from '../../../api/request.ts';
import { uploadFile, type UploadedSheet } from '../../../api/uploads.ts';

export interface FileChoice {
  readonly sheet: UploadedSheet | null;
  /** Bytes that were sent so far, of how many. */
  readonly uploading: { readonly name: string; readonly bytes: number; readonly of: number } | null;
  readonly problem: Problem | null;
  readonly choose: (file: Blob, name: string) => void;
  readonly forget: () => void;
}

type State = Pick<FileChoice, 'sheet' | 'uploading' | 'problem'>;
const NOTHING: State = { sheet: null, uploading: null, problem: null };

/** A file that is uploaded and read. */
export function useFile(onRead: (sheet: UploadedSheet) => void): FileChoice {
  const [state, setState] = useState<State>(NOTHING);
  const latest = useRef<AbortController | null>(null);
  const choose = useCallback((file: Blob, name: string): void => {
    latest.current?.abort();
    const { signal } = (latest.current = new AbortController());
    const onProgress = (bytes: number): void => {
      if (!signal.aborted) setState({ ...NOTHING, uploading: { name, bytes, of: file.size } });
    };
    onProgress(0);
    uploadFile(file, name, { signal, onProgress }).then(
      (sheet) => {
        if (signal.aborted) return;
        setState({ ...NOTHING, sheet });
        onRead(sheet);
      },
      (error: unknown) => {
        if (!signal.aborted) setState({ ...NOTHING, problem: asProblem(error) });
      },
    );
    // oxlint-disable-next-line react/exhaustive-deps -- what is done with a file stays the same while the page is open
  }, []);
  const forget = useCallback((): void => {
    latest.current?.abort();
    setState(NOTHING);
  }, []);
  return { ...state, choose, forget };
}
