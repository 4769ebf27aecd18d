import type { Market } from '../../api/markets.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Section } from '../../parts/page.tsx';
import { DATA_KINDS, DATA_NAMES, importCommand, MISSING_MEANS } from './words.ts';

/** What a market lacks, what that means to who asks, and the command that mends it. */
export function MissingData({ market }: { readonly market: Market }) {
  const missing = DATA_KINDS.filter((kind) => !market.loaded.some((each) => each.kind === kind));
  const isUntrained =
    market.models.length === 0 && market.loaded.some(({ kind }) => kind === 'sales' || kind === 'rents');
  if (missing.length === 0 && !isUntrained) return null;
  return (
    <Section
      title="What is missing"
      lead="The commands are for the machine that Plumbline runs on; the file names stand for your own."
    >
      <div class="missing-list">
        {isUntrained && (
          <div class="missing">
            <p>
              <strong>A model.</strong> Nothing is valued before a training.
            </p>
            <CodeBlock text={`plumbline train --market ${market.id}`} what="the command that trains" />
          </div>
        )}
        {missing.map((kind) => (
          <div class="missing" key={kind}>
            <p>
              <strong>{DATA_NAMES[kind]}.</strong> {MISSING_MEANS[kind]}
            </p>
            <CodeBlock
              text={importCommand(kind, market.id)}
              what={`the command that loads ${DATA_NAMES[kind]}`}
            />
          </div>
        ))}
      </div>
    </Section>
  );
}
