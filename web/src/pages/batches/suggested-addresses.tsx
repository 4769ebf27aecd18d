import type { CheckedUpload, Corrections } from '../../api/batches.ts';
import { Button, Notice } from '../../parts/basics.tsx';
import { formatCount, formatMany } from '../../parts/format.ts';
import { actionsColumn, Table, type Column } from '../../parts/table.tsx';

type Suggestion = CheckedUpload['failed_tries'][number]['suggestions'][number];

/** More rows are corrected together, or after these. */
const ROWS_SHOWN = 20;

/** Known addresses for those that were not found. The user decides which are sent in place of the file's. */
export function SuggestedAddresses(props: {
  readonly checked: Pick<CheckedUpload, 'failed_tries'>;
  readonly corrections: Corrections;
  readonly onCorrect: (corrections: Corrections) => void;
}) {
  const { checked, corrections, onCorrect } = props;
  const suggestions = checked.failed_tries.flatMap((failure) => failure.suggestions);
  const only = suggestions.filter((suggestion) => suggestion.is_only);
  const accepted = Object.keys(corrections).length;
  const use = (some: readonly Suggestion[]): void => {
    const added = some.map(({ address, suggested }) => [address, suggested]);
    onCorrect({ ...corrections, ...Object.fromEntries(added) });
  };
  const columns: readonly Column<Suggestion>[] = [
    { label: 'Row', isRowHeader: true, isNumber: true, cell: ({ row }) => row },
    {
      label: 'Address',
      isText: true,
      cell: ({ address, count }) => `${address}${count > 1 ? ` (${formatMany(count, 'row')})` : ''}`,
    },
    {
      label: 'Suggested address',
      isText: true,
      cell: ({ suggested, is_only: isOnly }) => (
        <>
          {suggested}
          {!isOnly && <span class="quiet small second-line">Others are similar, too.</span>}
        </>
      ),
    },
    actionsColumn((suggestion) => (
      <Button isSmall label={`Use ${suggestion.suggested}`} onClick={() => use([suggestion])}>
        Use
      </Button>
    )),
  ];
  return (
    <>
      {accepted > 0 && (
        <Notice kind="ok" title={`${formatMany(accepted, 'address', 'addresses')} corrected.`}>
          <p>The suggested address is sent. The download keeps the address of your file.</p>
          <Button isSmall onClick={() => onCorrect({})}>
            Undo
          </Button>
        </Notice>
      )}
      {suggestions.length > 0 && (
        <Table
          caption="Suggested addresses"
          columns={columns}
          rows={suggestions}
          rowsMax={ROWS_SHOWN}
          keyOf={({ row }) => row}
        />
      )}
      {suggestions.length > ROWS_SHOWN && (
        <p class="quiet small">
          {ROWS_SHOWN} of {formatCount(suggestions.length)} suggestions are shown.
        </p>
      )}
      {only.length > 1 && (
        <div class="row">
          <Button onClick={() => use(only)}>
            {`Use the ${formatCount(only.length)} without alternatives`}
          </Button>
        </div>
      )}
    </>
  );
}
