import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { asProblem, Problem } from '../api/problem.ts';
import { Notice, ProblemNotice, Progress } from './basics.tsx';
import { formatCount } from './format.ts';
import './file-choice.css';

interface FileState<Read> {
  /** What the server knows of the file after the upload. */
  readonly file: Read | null;
  /** How many bytes of the file were sent so far. */
  readonly uploading: { readonly name: string; readonly bytes: number; readonly of: number } | null;
  readonly problem: Problem | null;
}

export interface FileChoice<Read> extends FileState<Read> {
  readonly choose: (file: Blob, name: string) => void;
  readonly clear: () => void;
}

/** Uploads a file in pieces. */
type SendFile<Read> = (
  file: Blob,
  name: string,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
) => Promise<Read>;

/** The chosen file, which is uploaded by `send`. */
export function useFile<Read>(
  send: SendFile<Read>,
  onRead: (file: Read) => void = () => {},
): FileChoice<Read> {
  const nothing: FileState<Read> = { file: null, uploading: null, problem: null };
  const [state, setState] = useState(nothing);
  const latest = useRef<AbortController | null>(null);
  const choose = (file: Blob, name: string): void => {
    latest.current?.abort();
    const { signal } = (latest.current = new AbortController());
    const set = (change: Partial<FileState<Read>>): void => {
      if (!signal.aborted) setState({ ...nothing, ...change });
    };
    if (file.size === 0) {
      set({ problem: new Problem('The file is empty.', { status: 422, code: 'bad_request' }) });
      return;
    }
    const onProgress = (bytes: number): void => set({ uploading: { name, bytes, of: file.size } });
    onProgress(0);
    send(file, name, signal, onProgress).then(
      (read) => {
        set({ file: read });
        if (!signal.aborted) onRead(read);
      },
      (error: unknown) => set({ problem: asProblem(error) }),
    );
  };
  const clear = (): void => {
    latest.current?.abort();
    setState(nothing);
  };
  return { ...state, choose, clear };
}

/** The progress of the upload, or why it failed. */
export function UploadState({ of }: { readonly of: Pick<FileChoice<unknown>, 'uploading' | 'problem'> }) {
  const { uploading, problem } = of;
  return (
    <>
      {uploading && <UploadProgress {...uploading} />}
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
}

/** How many bytes of a file were sent. */
export function UploadProgress(props: {
  readonly name: string;
  readonly bytes: number;
  readonly of: number;
}) {
  const { name, bytes, of } = props;
  return (
    <Progress
      label={bytes < of ? `Uploading ${name} …` : `Reading ${name} …`}
      value={bytes}
      max={Math.max(1, of)}
      note={`${megabytes(bytes)} of ${megabytes(of)} MB`}
    />
  );
}

/** Endings of the names of files that hold a table. */
export const TABLE_FILES = '.csv,.tsv,.txt,.xlsx,.parquet,.zip,.gz';

/** Where a file is dropped or chosen; with `takesSeveral`, also several. */
export function DropZone(props: {
  readonly label: string;
  /** Endings of file names and media types, separated by commas. */
  readonly accept: string;
  readonly hint: string;
  readonly takesSeveral?: boolean;
  readonly onChoose: (files: readonly File[]) => void;
  readonly children?: ComponentChildren;
}) {
  const { label, accept, hint, takesSeveral = false, onChoose, children } = props;
  const id = useId();
  const [isOver, setOver] = useState(false);
  const [dropped, setDropped] = useState(0);
  const choose = (list: FileList | null | undefined): void => {
    const files = [...(list ?? [])];
    setDropped(files.length);
    // If one of several were read, nobody would notice that the others were not.
    if (files.length === 1 || (takesSeveral && files.length > 1)) onChoose(files);
  };
  return (
    <div
      class={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        choose(event.dataTransfer?.files);
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        multiple={takesSeveral}
        onChange={({ currentTarget }) => choose(currentTarget.files)}
      />
      <p class="quiet small">{hint}</p>
      {dropped > 1 && !takesSeveral && (
        <Notice kind="warn">{dropped} files were dropped. Choose one at a time.</Notice>
      )}
      {children}
    </div>
  );
}

function megabytes(bytes: number): string {
  return formatCount(bytes / 1_048_576);
}
