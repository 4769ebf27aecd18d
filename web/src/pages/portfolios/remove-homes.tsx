import { removeHomes } from '../../api/portfolios.ts';
import { useAction } from '../../api/use-request.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { formatCount, formatMany } from '../../parts/format.ts';

/** A home to remove, and what the user knows it by. */
export interface ChosenHome {
  readonly entry: number;
  readonly name: string;
}

/** Homes that the question names. The others are counted. */
const NAMED = 50;

/** Asks before it removes homes from a portfolio. */
export function RemoveHomesDialog(props: {
  readonly portfolioId: string;
  readonly homes: readonly ChosenHome[];
  readonly onRemoved: (removed: number) => void;
  readonly onClose: () => void;
}) {
  const { portfolioId, homes, onRemoved, onClose } = props;
  const removing = useAction(async () => {
    const { removed } = await removeHomes(
      portfolioId,
      homes.map(({ entry }) => entry),
    );
    onRemoved(removed);
  });
  const names = homes.slice(0, NAMED).map(({ name }) => name);
  return (
    <FormDialog
      kind="danger"
      title={`Remove ${formatMany(homes.length, 'home')} from the portfolio?`}
      action="Remove"
      busy="Removing …"
      doing={removing}
      onClose={onClose}
    >
      <p>
        {names.join(', ')}
        {homes.length > NAMED && ` and ${formatCount(homes.length - NAMED)} more`}
      </p>
      <p>
        Later runs do not value {homes.length === 1 ? 'it' : 'them'}. Earlier runs, their values and their
        alerts stay.
      </p>
    </FormDialog>
  );
}
