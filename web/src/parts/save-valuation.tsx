import { useState } from 'preact/hooks';
import { fieldError } from '../api/problem.ts';
import { saveValuation, type SavedValuation } from '../api/saved.ts';
import { useAction } from '../api/use-request.ts';
import { Notice } from './basics.tsx';
import { FormDialog } from './dialog.tsx';
import { ParagraphField, TextField } from './field.tsx';

/** Name, tags and note of a valuation. */
export function SaveValuationDialog(props: {
  readonly valuationId: string;
  /** What is saved already, or the name to begin with. */
  readonly saved: Pick<SavedValuation, 'name'> & Partial<Pick<SavedValuation, 'tags' | 'note'>>;
  /** What the saved valuation does not have. */
  readonly lacks?: string | null;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const { valuationId, saved, lacks = null, onClose, onSaved } = props;
  const [name, setName] = useState(saved.name);
  const [tags, setTags] = useState(saved.tags?.join(', ') ?? '');
  const [note, setNote] = useState(saved.note ?? '');
  const saving = useAction(async () => {
    const list = tags.split(',').map((tag) => tag.trim());
    await saveValuation(valuationId, { name, tags: list.filter(Boolean), note });
    onSaved();
    onClose();
  });
  return (
    <FormDialog title="Save valuation" action="Save" busy="Saving …" doing={saving} onClose={onClose}>
      {lacks !== null && <Notice kind="warn">{lacks}</Notice>}
      <TextField
        label="Name"
        hint="The page Saved lists the valuation under this name."
        value={name}
        maxLength={200}
        onInput={setName}
        error={fieldError(saving.problem, 'name')}
      />
      <TextField
        label="Tags"
        hint="Separated by commas: appeal, 2026"
        value={tags}
        onInput={setTags}
        error={fieldError(saving.problem, 'tags')}
      />
      <ParagraphField
        label="Note"
        value={note}
        maxLength={4000}
        onInput={setNote}
        error={fieldError(saving.problem, 'note')}
      />
    </FormDialog>
  );
}
