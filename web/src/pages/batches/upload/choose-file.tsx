import { useId, useState } from 'preact/hooks';
import { Button } from '../../../parts/button.tsx';
import { Labelled } from '../../../parts/field.tsx';
import { formatCount, formatMany } from '../../../parts/format.ts';
import { Notice } from '../../../parts/notice.tsx';
import { Progress } from '../../../parts/progress.tsx';
import type { FileChoice, ReadFile } from './use-file.ts';

/** A file dropped, picked or pasted. It is read here and goes nowhere until it is sent. */
export function ChooseFile({ files }: { readonly files: FileChoice }) {
  const { chosen, reading, problem } = files;
  return (
    <div class="stack">
      {chosen === null ? <DropZone files={files} /> : <ChosenFile read={chosen} onForget={files.forget} />}
      {reading && (
        <Progress
          label={`Reading ${reading.name} …`}
          value={reading.bytes}
          max={Math.max(1, reading.of)}
          note={`${megabytes(reading.bytes)} of ${megabytes(reading.of)} MB`}
        />
      )}
      {problem && <Notice kind="error">{problem}</Notice>}
    </div>
  );
}

function DropZone({ files }: { readonly files: FileChoice }) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const [isPasting, setPasting] = useState(false);
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
          const file = event.dataTransfer?.files[0];
          if (file) files.choose(file, file.name);
        }}
      >
        <label for={id}>Drop a CSV file here, or choose one</label>
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          onChange={({ currentTarget: { files: picked } }) => {
            const file = picked?.[0];
            if (file) files.choose(file, file.name);
          }}
        />
        <p class="quiet small">
          The first row names the columns, each further row is a property. Commas, semicolons or tabs; up to
          100,000 rows and 50 MB.
        </p>
        <div>
          <Button isSmall onClick={() => setPasting(!isPasting)}>
            {isPasting ? 'Do not paste' : 'Paste rows instead'}
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
      <Labelled label="Rows" hint="As copied from a spreadsheet, with the row of names.">
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
      </Labelled>
      <div>
        <Button isDisabled={text.trim() === ''} onClick={() => onPaste(text.toWellFormed())}>
          Use these rows
        </Button>
      </div>
    </div>
  );
}

const SEPARATOR_NAMES = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' } as const;

function ChosenFile({ read, onForget }: { readonly read: ReadFile; readonly onForget: () => void }) {
  const { rows, columns, separator, encoding } = read.table;
  return (
    <div class="card row spread">
      <div>
        <strong>{read.name}</strong>
        <div class="quiet small">
          {formatMany(rows.length, 'row')}, {formatMany(columns.length, 'column')} between{' '}
          {SEPARATOR_NAMES[separator]}
          {encoding === 'utf-8' ? '' : `, read as ${encoding}`}
        </div>
      </div>
      <Button isSmall onClick={onForget}>
        Choose another
      </Button>
    </div>
  );
}

function megabytes(bytes: number): string {
  return formatCount(bytes / 1_048_576);
}
