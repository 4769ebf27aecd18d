import { CodeBlock } from '../../parts/code-block.tsx';
import { Section } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { bodyOf, type Asked } from './asked.ts';
import { KEY_PLACEHOLDER, snippetsOf } from './snippets.ts';

/** The same request for programs; a key is never shown, only where it belongs. */
export function RequestCode({ asked }: { readonly asked: Asked }) {
  const snippets = snippetsOf(asked.kind, bodyOf(asked), window.location.origin);
  return (
    <Section
      title="The same request from a program"
      lead={
        <>
          Put a key in place of <code>{KEY_PLACEHOLDER}</code>: <a href="/console/keys">Keys</a> makes one.
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
