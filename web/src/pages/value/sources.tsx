import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../../api/use-request.ts';
import { isReproduced, type Valued, type ValuationInput } from '../../api/valuations.ts';
import { Button, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { formatDay } from '../../parts/format.ts';
import { Facts, Section } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { bodyOf, type ValueRequest } from './value-request.ts';
import { HOME_FIELDS, labelOf, wordOf } from './fields.ts';
import { KEY_PLACEHOLDER, snippetsOf } from './snippets.ts';
import { accuracySentence, requiredSentences, sourceWords } from './words.ts';

/** The inputs with their sources, the hashes of model and data, and a replay. */
export function Sources({ valued: { kind, response } }: { readonly valued: Valued }) {
  const { inputs, model, accuracy, valuation_id: id } = response.valuation;
  return (
    <Section title="Sources and accuracy" lead={accuracySentence(accuracy, kind)}>
      <details class="fold">
        <summary>All inputs and their sources ({inputs.length})</summary>
        <Table
          caption="Inputs"
          rows={inputs}
          keyOf={(_, at) => at}
          columns={[
            { label: 'Input', isRowHeader: true, cell: ({ field }) => labelOf(field) },
            { label: 'Value', cell: ({ field, value }) => wordOf(field, value) },
            { label: 'Source', cell: (input) => sourceWords(input, kind) },
          ]}
        />
      </details>
      <Facts
        class="small"
        facts={[
          ['Model', `${model.id}, trained as of ${formatDay(model.version)}`],
          ['Model hash', <code key="model">{model.sha256}</code>],
          ['Data snapshot', <code key="data">{model.data_snapshot}</code>],
          ['Valuation ID', <code key="id">{id}</code>],
        ]}
      />
      <Replay id={id} />
    </Section>
  );
}

function Replay({ id }: { readonly id: string }) {
  const [agrees, setAgrees] = useState<boolean | null>(null);
  const replay = useAction(async () => setAgrees(await isReproduced(id)));
  useEffect(() => setAgrees(null), [id]);
  return (
    <div class="stack">
      <div class="row">
        <Button isSmall busy={replay.isBusy && 'Computing …'} onClick={replay.run}>
          Replay this valuation
        </Button>
        <span class="small quiet">Computes it again from the same model and data.</span>
      </div>
      {replay.problem && <ProblemNotice problem={replay.problem} />}
      {agrees === true && <Notice kind="ok">Reproduced exactly.</Notice>}
      {agrees === false && (
        <Notice kind="error">
          The result is different. This is a bug: please report it with the valuation ID.
        </Notice>
      )}
    </div>
  );
}

/** Details that the API requires and the page does not. */
const REQUIRED: ReadonlySet<string> = new Set(
  HOME_FIELDS.filter(({ isRequired }) => isRequired).map(({ name }) => name),
);

/** The same request as code, with a placeholder for the API key. */
export function RequestCode(props: {
  readonly request: ValueRequest;
  /** Required details that nobody knows. */
  readonly missing: readonly string[];
  readonly inputs: readonly ValuationInput[];
}) {
  const { request, missing, inputs } = props;
  const guessed = inputs
    .filter(({ field, source }) => REQUIRED.has(field) && source === 'comparables')
    .map(({ field }) => field)
    .filter((field) => !missing.includes(field));
  const snippets = snippetsOf(request.kind, bodyOf(request), window.location.origin);
  return (
    <Section
      title="The same request from a program"
      lead={
        <>
          Replace <code>{KEY_PLACEHOLDER}</code> with one of your <a href="/console/keys">API keys</a>.
          {requiredSentences(guessed, missing)}
        </>
      }
    >
      <Tabs
        label="Languages"
        tabs={snippets.map(({ name, label, text }) => ({
          name,
          label,
          content: () => <CodeBlock text={text} what={`the request in ${label}`} />,
        }))}
      />
    </Section>
  );
}
