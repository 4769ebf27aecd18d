import { useId, useRef, useState } from 'preact/hooks';
import { uploadFile, type UploadedSheet } from '../../api/batches.ts';
import { asProblem, Problem } from '../../api/problem.ts';
import { Button, ProblemNotice, Progress } from '../../parts/basics.tsx';
import { Labeled } from '../../parts/field.tsx';
import { formatCount, formatMany } from '../../parts/format.ts';

interface FileState {
  readonly sheet: UploadedSheet | null;
  /** How many bytes of the file were sent so far. */
  readonly uploading: { readonly name: string; readonly bytes: number; readonly of: number } | null;
  readonly problem: Problem | null;
}

const NOTHING: FileState = { sheet: null, uploading: null, problem: null };

type FileChoice = ReturnType<typeof useFile>;

/** The chosen file. It is uploaded, and the server reads it. */
export function useFile(onRead: (sheet: UploadedSheet) => void) {
  const [state, setState] = useState(NOTHING);
  const latest = useRef<AbortController | null>(null);
  const choose = (file: Blob, name: string): void => {
    latest.current?.abort();
    const { signal } = (latest.current = new AbortController());
    const set = (change: Partial<FileState>): void => {
      if (!signal.aborted) setState({ ...NOTHING, ...change });
    };
    if (file.size === 0) {
      set({ problem: new Problem('The file is empty.', { status: 422, code: 'bad_request' }) });
      return;
    }
    const onProgress = (bytes: number): void => set({ uploading: { name, bytes, of: file.size } });
    onProgress(0);
    uploadFile(file, name, signal, onProgress).then(
      (sheet) => {
        set({ sheet });
        if (!signal.aborted) onRead(sheet);
      },
      (error: unknown) => set({ problem: asProblem(error) }),
    );
  };
  const clear = (): void => {
    latest.current?.abort();
    setState(NOTHING);
  };
  return { ...state, choose, clear };
}

/** A file that is dropped, chosen or pasted. It is uploaded and read; nothing is valued yet. */
export function ChooseFile({ files }: { readonly files: FileChoice }) {
  const { sheet, uploading, problem } = files;
  return (
    <div class="stack">
      {sheet === null ? <DropZone files={files} /> : <ChosenFile sheet={sheet} onClear={files.clear} />}
      {uploading && (
        <Progress
          label={
            uploading.bytes < uploading.of ? `Uploading ${uploading.name} …` : `Reading ${uploading.name} …`
          }
          value={uploading.bytes}
          max={Math.max(1, uploading.of)}
          note={`${megabytes(uploading.bytes)} of ${megabytes(uploading.of)} MB`}
        />
      )}
      {problem && <ProblemNotice problem={problem} />}
    </div>
  );
}

function DropZone({ files }: { readonly files: FileChoice }) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const [isPasting, setPasting] = useState(false);
  const choose = (list: FileList | null | undefined): void => {
    const file = list?.[0];
    if (file) files.choose(file, file.name);
  };
  return (
    <>
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
        <label for={id}>Drop a CSV file here, or choose one</label>
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          onChange={({ currentTarget }) => choose(currentTarget.files)}
        />
        <p class="quiet small">
          The first row names the columns; each further row is a property. Commas, semicolons or tabs; up to
          100,000 rows and 50 MB.
        </p>
        <div>
          <Button isSmall onClick={() => setPasting(!isPasting)}>
            {isPasting ? 'Cancel' : 'Paste rows'}
          </Button>
        </div>
      </div>
      {isPasting && <PasteRows onPaste={(text) => files.choose(new Blob([text]), 'pasted rows')} />}
    </>
  );
}

function PasteRows({ onPaste }: { readonly onPaste: (text: string) => void }) {
  const [text, setText] = useState('');
  return (
    <div class="stack">
      <Labeled label="Rows" hint="As copied from a spreadsheet, with the header row.">
        {(described) => (
          <textarea
            {...described}
            class="input paste"
            rows={6}
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Labeled>
      <div>
        <Button isDisabled={text.trim() === ''} onClick={() => onPaste(text.toWellFormed())}>
          Use these rows
        </Button>
      </div>
    </div>
  );
}

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
};

function ChosenFile({ sheet, onClear }: { readonly sheet: UploadedSheet; readonly onClear: () => void }) {
  const { name, row_count: rows, columns, delimiter, encoding } = sheet;
  return (
    <div class="card row spread">
      <div>
        <strong>{name}</strong>
        <div class="quiet small">
          {formatMany(rows, 'row')}, {formatMany(columns.length, 'column')} separated by{' '}
          {DELIMITER_NAMES[delimiter] ?? delimiter}
          {encoding === 'utf-8' ? '' : `, read as ${encoding}`}
        </div>
      </div>
      <Button isSmall onClick={onClear}>
        Choose another
      </Button>
    </div>
  );
}

function megabytes(bytes: number): string {
  return formatCount(bytes / 1_048_576);
}
