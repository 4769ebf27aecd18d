import { useEffect, useRef, useState } from 'preact/hooks';
import { uploadImport } from '../../api/imports.ts';
import { asProblem, Problem } from '../../api/problem.ts';
import { Button, ProblemNotice } from '../../parts/basics.tsx';
import { DropZone, TABLE_FILES, UploadProgress } from '../../parts/file-choice.tsx';
import { formatMany } from '../../parts/format.ts';
import { useUnsaved } from '../../parts/unsaved-changes.ts';

/** A file that is uploaded: `id` once it was, `problem` if it could not be. */
interface SentFile {
  readonly file: File;
  readonly bytes: number;
  readonly id: string | null;
  readonly problem: Problem | null;
}

/** Uploads the chosen files one after the other. `onUploaded` gets the ids of all that could be uploaded. */
export function UploadFiles({ onUploaded }: { readonly onUploaded: (ids: readonly string[]) => void }) {
  const [files, setFiles] = useState<readonly SentFile[]>([]);
  const [sending, setSending] = useState<AbortController | null>(null);
  const latest = useRef<AbortController | null>(null);
  useEffect(() => () => latest.current?.abort(), []);
  useUnsaved(sending !== null);
  const uploaded = files.flatMap(({ id }) => id ?? []);
  const send = async (given: readonly SentFile[]): Promise<void> => {
    const abort = (latest.current = new AbortController());
    const { signal } = abort;
    const list: SentFile[] = given.map((sent) => ({ ...sent, problem: null }));
    const change = (at: number, changed: Partial<SentFile>): void => {
      list[at] = { ...list[at], ...changed };
      if (!signal.aborted) setFiles([...list]);
    };
    setSending(abort);
    for (const [at, { file, id }] of list.entries()) {
      if (id !== null || signal.aborted) continue;
      try {
        if (file.size === 0) throw new Problem('The file is empty.', { status: 422, code: 'bad_request' });
        change(at, { bytes: 0 });
        const sent = await uploadImport(file, file.name, signal, (bytes) => change(at, { bytes }));
        change(at, { id: sent.id });
      } catch (error) {
        change(at, { problem: asProblem(error) });
      }
    }
    if (signal.aborted) return;
    setSending(null);
    if (list.every(({ id }) => id !== null)) onUploaded(list.flatMap(({ id }) => id ?? []));
  };
  const current = files.findIndex(({ id, problem }) => id === null && problem === null);
  return (
    <div class="stack">
      {sending === null && (
        <DropZone
          label="Drop files here, or choose them"
          accept={`${TABLE_FILES},.geojson,.json`}
          hint="CSV with any delimiter and encoding, Excel (.xlsx), Parquet, or one of them in a ZIP or gzip file; maps as GeoJSON, GeoParquet or a zipped shapefile; up to 200 MB each. Give sales without coordinates together with parcels or addresses, which place them."
          takesSeveral
          onChoose={(chosen) =>
            void send([...files, ...chosen.map((file) => ({ file, bytes: 0, id: null, problem: null }))])
          }
        />
      )}
      {files.length > 0 && (
        <ul class="findings">
          {files.map(({ file, bytes, id, problem }, at) => (
            <li key={at}>
              {problem ? (
                <>
                  <strong class="breaks">{file.name}</strong>
                  <ProblemNotice problem={problem} />
                </>
              ) : at === current ? (
                <UploadProgress name={file.name} bytes={bytes} of={file.size} />
              ) : (
                <span class="breaks">
                  {file.name} <span class="quiet small">{id === null ? 'waits' : 'uploaded'}</span>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {sending === null && files.some(({ problem }) => problem !== null) && (
        <div class="row">
          <Button onClick={() => void send(files)}>Try again</Button>
          {uploaded.length > 0 && (
            <Button kind="primary" onClick={() => onUploaded(uploaded)}>
              Continue with {formatMany(uploaded.length, 'file')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
