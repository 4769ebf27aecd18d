import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** How far something is, with words. Without `value` it is under way and nobody can say how far. */
export function Progress(props: {
  readonly label: ComponentChildren;
  readonly value?: number;
  readonly max?: number;
  readonly note?: ComponentChildren;
}) {
  const { label, value, max = 1, note } = props;
  const id = useId();
  return (
    <div class="progress">
      <label for={id}>{label}</label>
      <progress id={id} value={value} max={max} />
      {note && <span class="quiet small">{note}</span>}
    </div>
  );
}
