import type { NewKey } from '../../api/keys.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';

/** The one time that a key is seen. */
export function NewKeyDialog({ made, onClose }: { readonly made: NewKey; readonly onClose: () => void }) {
  const example = `curl ${location.origin}/v1/coverage -H 'X-API-Key: ${made.key}'`;
  return (
    <Dialog title={`The key “${made.name}”`} onClose={onClose} hasSecret>
      <Notice kind="warn" title="Copy it now: it is shown this once.">
        The service keeps a digest of it alone. Keep it where your program keeps its secrets, never in a URL
        or in source code.
      </Notice>
      <CodeBlock text={made.key} what="the key" isWrapped />
      <div>
        <p class="quiet small">To see it work:</p>
        <CodeBlock text={example} what="the command" />
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          I’ve saved it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
