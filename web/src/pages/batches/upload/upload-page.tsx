import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import type { ValuationKind } from '../../../../../src/domain/valuation-kind.ts';
import { useAction, useAnswer } from '../../../api/use-answer.ts';
import { SelectField } from '../../../parts/field.tsx';
import { formatMoment } from '../../../parts/format.ts';
import { Notice, ProblemNotice } from '../../../parts/notice.tsx';
import { Page, Section } from '../../../parts/page.tsx';
import { Progress } from '../../../parts/progress.tsx';
import { useSession } from '../../../shell/session-context.tsx';
import { guessColumns, type Mapping } from '../request/guess-columns.ts';
import type { RowItem } from '../request/make-items.ts';
import { isKind, KIND_LABELS, KINDS, MEMBERS } from '../request/members.ts';
import { cutIntoJobs } from '../sending/chunks.ts';
import { ownerOf, pathOfFile } from '../sending/owner.ts';
import { startSending } from '../sending/sender.ts';
import { openFileStore, type StoredFile } from '../sending/stored-files.ts';
import { ChooseFile } from './choose-file.tsx';
import { MapColumns } from './map-columns.tsx';
import { RowPreview } from './row-preview.tsx';
import { RowProblems } from './row-problems.tsx';
import { SendRows } from './send-rows.tsx';
import { useFile, type ReadFile } from './use-file.ts';
import { useItems } from './use-items.ts';
import { usePrice } from './use-price.ts';

/** From a file to jobs: what is what, what is wrong, what it costs; nothing is valued before the last button. */
export function UploadPage() {
  const [kind, setKind] = useState<ValuationKind>('property');
  const [mapping, setMapping] = useState<Mapping>({});
  const files = useFile((read) => setMapping(guessColumns(MEMBERS[kind], read.table.columns)));
  const { chosen } = files;
  const changeKind = (value: string): void => {
    if (!isKind(value)) return;
    setKind(value);
    if (chosen !== null) setMapping(guessColumns(MEMBERS[value], chosen.table.columns));
  };
  return (
    <Page
      title="Value a file"
      lead="A row for each property. Nothing leaves this page before you have seen what it costs."
    >
      <Section title="File">
        <div class="stack">
          <div class="upload-kind">
            <SelectField
              label="What the rows are"
              value={kind}
              choices={KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
              onInput={changeKind}
            />
          </div>
          <ChooseFile files={files} />
        </div>
      </Section>
      {chosen !== null && (
        <ChosenRows key={chosen.sha256} read={chosen} kind={kind} mapping={mapping} onMapping={setMapping} />
      )}
    </Page>
  );
}

interface Chosen {
  readonly read: ReadFile;
  readonly kind: ValuationKind;
  readonly mapping: Mapping;
  readonly onMapping: (mapping: Mapping) => void;
}

function ChosenRows({ read, kind, mapping, onMapping }: Chosen) {
  const { table } = read;
  const { made, rows, today } = useItems(kind, table, mapping);
  const [leavesOut, setLeaveOut] = useState(false);
  const isReady = made !== null && made.items.length > 0 && (made.badRows === 0 || leavesOut);
  return (
    <>
      <Section
        title="Columns"
        lead="Guessed from their names. Required columns need a value in every row; of the others, what is not known is taken from public records or from nearby homes."
      >
        <MapColumns members={MEMBERS[kind]} table={table} mapping={mapping} onChange={onMapping} />
      </Section>
      <Section title="Check" lead="The first rows, as they will be sent.">
        <div class="stack">
          <RowPreview kind={kind} table={table} mapping={mapping} />
          {made === null ? (
            <Progress label="Checking the rows …" value={rows} max={table.rows.length} />
          ) : (
            <RowProblems made={made} leavesOut={leavesOut} onLeaveOut={setLeaveOut} />
          )}
        </div>
      </Section>
      {isReady && <CostAndSend read={read} kind={kind} mapping={mapping} items={made.items} today={today} />}
    </>
  );
}

function CostAndSend(
  props: Omit<Chosen, 'onMapping'> & { readonly items: readonly RowItem[]; readonly today: string },
) {
  const { read, kind, mapping, items, today } = props;
  const { session } = useSession();
  const { route } = useLocation();
  const [notifyUrl, setNotifyUrl] = useState('');
  const callback = notifyUrl.trim() === '' ? null : notifyUrl.trim();
  const price = usePrice(kind, items, callback);
  const owner = ownerOf(session);
  const earlier = useAnswer(() => filesLike(owner, read.sha256, kind), [owner, read.sha256, kind]);
  const sending = useAction(async () => {
    const store = await openFileStore();
    const file: StoredFile = {
      id: crypto.randomUUID(),
      owner,
      fileName: read.name,
      file: read.file,
      fileSha256: read.sha256,
      attempt: 1 + Math.max(0, ...(earlier.answer ?? []).map(({ attempt }) => attempt)),
      kind,
      mapping,
      notifyUrl: callback,
      today,
      storedAt: new Date().toISOString(),
      rows: read.table.rows.length,
      parts: cutIntoJobs(items).map((part) => ({ rows: part.map(({ at }) => at), jobId: null, retries: [] })),
    };
    await store.put(file);
    void startSending(file.id);
    route(pathOfFile(file.id));
  });
  return (
    <Section title="Cost">
      <div class="stack">
        {earlier.answer?.[0] && <SentBefore file={earlier.answer[0]} />}
        <SendRows
          rows={items.length}
          price={price}
          notifyUrl={notifyUrl}
          onNotifyUrl={setNotifyUrl}
          isReady={price.credits !== null}
          isBusy={sending.isBusy}
          onSend={() => void sending.run()}
        />
        {sending.problem && <ProblemNotice problem={sending.problem} />}
      </div>
    </Section>
  );
}

async function filesLike(owner: string, sha256: string, kind: ValuationKind): Promise<readonly StoredFile[]> {
  const files = await (await openFileStore()).list(owner);
  return files.filter((file) => file.fileSha256 === sha256 && file.kind === kind);
}

function SentBefore({ file }: { readonly file: StoredFile }) {
  const left = file.parts.filter(({ jobId }) => jobId === null).length;
  return (
    <Notice kind="warn" title={`This file was sent on ${formatMoment(file.storedAt)}.`}>
      <p>
        <a href={pathOfFile(file.id)}>
          {left === 0 ? 'See its jobs' : `Go on with the ${left} jobs that were not sent`}
        </a>
        . Sending it again values and charges it again.
      </p>
    </Notice>
  );
}
