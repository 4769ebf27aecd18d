import { useState } from 'preact/hooks';
import type { UploadedSheet } from '../../api/batches.ts';
import { Button } from '../../parts/basics.tsx';
import { Labeled } from '../../parts/field.tsx';
import { DropZone, TABLE_FILES, UploadState, type FileChoice } from '../../parts/file-choice.tsx';
import { formatMany } from '../../parts/format.ts';

type SheetChoice = FileChoice<UploadedSheet>;

/** A file that is dropped, chosen or pasted. It is uploaded and read; nothing is valued yet. */
export function ChooseFile({ files }: { readonly files: SheetChoice }) {
  const { file: sheet } = files;
  return (
    <div class="stack">
      {sheet === null ? <ChooseOrPaste files={files} /> : <ChosenFile sheet={sheet} onClear={files.clear} />}
      <UploadState of={files} />
    </div>
  );
}

function ChooseOrPaste({ files }: { readonly files: SheetChoice }) {
  const [isPasting, setPasting] = useState(false);
  return (
    <>
      <DropZone
        label="Drop a file here, or choose one"
        accept={TABLE_FILES}
        hint="CSV with any delimiter and encoding, Excel (.xlsx), Parquet, or one of them in a ZIP or gzip file. The first row names the columns; each further row is a property. Up to 100,000 rows and 50 MB."
        onChoose={([file]) => files.choose(file, file.name)}
      >
        <div>
          <Button isSmall onClick={() => setPasting(!isPasting)}>
            {isPasting ? 'Cancel' : 'Paste rows'}
          </Button>
        </div>
      </DropZone>
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

function ChosenFile({ sheet, onClear }: { readonly sheet: UploadedSheet; readonly onClear: () => void }) {
  const { name, row_count: rows, empty_rows: empty, first_empty_row: first, format } = sheet;
  return (
    <div class="card row spread">
      <div>
        <strong>{name}</strong>
        <div class="quiet small">
          {format}, {formatMany(rows, 'row')}
          {empty > 0 &&
            `; ${formatMany(empty, 'empty row')} left out (row ${first}${empty > 1 ? ' first' : ''})`}
        </div>
      </div>
      <Button isSmall onClick={onClear}>
        Choose another
      </Button>
    </div>
  );
}
