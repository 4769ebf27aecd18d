import { replays, type ValuationInput, type Valued } from '../../api/valuations.ts';
import { useAction } from '../../api/use-answer.ts';
import { Button } from '../../parts/button.tsx';
import { formatDay } from '../../parts/format.ts';
import { Notice, ProblemNotice } from '../../parts/notice.tsx';
import { Section } from '../../parts/page.tsx';
import { useEffect, useState } from 'preact/hooks';
import { labelOf, wordOf } from './fields.ts';
import { accuracySentence, sourceWords } from './words.ts';

/** What the value rests on: inputs with their sources, the model and the data by their hashes, and the proof that it can be made again. */
export function Provenance({ valued }: { readonly valued: Valued }) {
  const { kind, answer } = valued;
  const { valuation } = answer;
  const { inputs, model, accuracy, valuation_id: id } = valuation;
  const measured = accuracySentence(accuracy, kind);
  return (
    <Section title="Sources and accuracy" lead={measured}>
      <details class="inputs">
        <summary>Every input and where it came from ({inputs.length})</summary>
        <div class="table-scroll">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Input</th>
                <th scope="col">Used</th>
                <th scope="col">From</th>
              </tr>
            </thead>
            <tbody>
              {inputs.map((input, i) => (
                <InputRow key={`${input.field} ${i}`} input={input} valued={valued} />
              ))}
            </tbody>
          </table>
        </div>
      </details>
      <dl class="facts small">
        <dt>Model</dt>
        <dd>
          trained {formatDay(model.version)}, <code>{model.id}</code>
        </dd>
        <dt>Model hash</dt>
        <dd>
          <code>{model.sha256}</code>
        </dd>
        <dt>Data known</dt>
        <dd>
          <code>{model.data_snapshot}</code>
        </dd>
        <dt>Valuation</dt>
        <dd>
          <code>{id}</code>
        </dd>
      </dl>
      <ReplayButton id={id} />
    </Section>
  );
}

function InputRow({ input, valued }: { readonly input: ValuationInput; readonly valued: Valued }) {
  return (
    <tr>
      <th scope="row">{labelOf(input.field)}</th>
      <td>{wordOf(input.field, input.value)}</td>
      <td>{sourceWords(input, valued.kind)}</td>
    </tr>
  );
}

function ReplayButton({ id }: { readonly id: string }) {
  const [agrees, setAgrees] = useState<boolean | null>(null);
  const replay = useAction(async () => setAgrees(await replays(id)));
  useEffect(() => setAgrees(null), [id]);
  return (
    <div class="stack">
      <div class="row">
        <Button isSmall busy={replay.isBusy && 'Computing it again …'} onClick={() => void replay.run()}>
          Replay this valuation
        </Button>
        <span class="small quiet">computes it again from that model and those data</span>
      </div>
      {replay.problem && <ProblemNotice problem={replay.problem} />}
      {agrees === true && <Notice kind="ok">Reproduced exactly.</Notice>}
      {agrees === false && (
        <Notice kind="error">
          It comes out differently. That must not be: keep this valuation’s number and report it.
        </Notice>
      )}
    </div>
  );
}
