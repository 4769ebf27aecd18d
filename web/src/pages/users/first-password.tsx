import { CodeBlock } from '../../parts/code-block.tsx';
import { Notice } from '../../parts/notice.tsx';

/** A password that was made for somebody, the one time that it is seen. */
export function FirstPassword({ password }: { readonly password: string }) {
  return (
    <>
      <Notice kind="warn" title="Copy it now: it is shown this once.">
        Give it to them by a way that you trust. They change it after signing in, under “Your account”.
      </Notice>
      <CodeBlock text={password} what="the password" isWrapped />
    </>
  );
}
