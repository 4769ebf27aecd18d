import { useLocation } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import { reportUrl } from '../../api/reports.ts';
import { listSavedValuations, removeSavedValuation, type SavedValuation } from '../../api/saved.ts';
import { useAction } from '../../api/use-request.ts';
import { Button, EmptyState, ProblemNotice } from '../../parts/basics.tsx';
import { TextField } from '../../parts/field.tsx';
import { formatDay, formatMoment, formatUsd } from '../../parts/format.ts';
import { Page } from '../../parts/page.tsx';
import { ShowMore, useList } from '../../parts/row-pages.tsx';
import { SaveValuationDialog } from '../../parts/save-valuation.tsx';
import { actionsColumn, dateColumn, numberColumn, Table, type Column } from '../../parts/table.tsx';
import { ChallengeList } from './challenge-list.tsx';

/** A search starts when the user pauses typing. */
const PAUSE_MS = 250;

/** The valuations that users of the account saved, and its challenges. */
export default function SavedPage() {
  const { query, path, route } = useLocation();
  const { find = '', tag = null } = query;
  const [words, setWords] = useState(find);
  const [edited, setEdited] = useState<SavedValuation | null>(null);
  const show = (next: { readonly find?: string; readonly tag?: string | null }): void => {
    const shown = Object.entries({ find, tag, ...next }).flatMap(([name, text]) =>
      text ? [[name, text]] : [],
    );
    route(`${path}?${new URLSearchParams(shown)}`, true);
  };
  useEffect(() => setWords(find), [find]);
  useEffect(() => {
    const timer = setTimeout(() => words.trim() !== find && show({ find: words.trim() }), PAUSE_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- once per change of the text
  }, [words]);
  const list = useList<SavedValuation>(
    async (cursor, signal) => {
      const { saved: rows, next_cursor } = await listSavedValuations({ find, tag, cursor }, signal);
      return { rows, next_cursor };
    },
    [find, tag],
  );
  const removing = useAction(async (id: string) => {
    await removeSavedValuation(id);
    list.reload();
  });
  const isSearched = find !== '' || tag !== null;
  return (
    <Page title="Saved valuations" lead="Everyone in your account sees them." isWide>
      <div class="stack">
        <div class="row">
          <TextField
            label="Search"
            type="search"
            value={words}
            onInput={setWords}
            maxLength={100}
            hint="Name, address, note or tag"
          />
          {tag !== null && (
            <Button isSmall label={`Show all tags, not only ${tag}`} onClick={() => show({ tag: null })}>
              Tag: {tag} ×
            </Button>
          )}
        </div>
        {removing.problem && <ProblemNotice problem={removing.problem} />}
        {list.rows.length > 0 && (
          <Table
            caption="Saved valuations"
            rows={list.rows}
            keyOf={({ valuation_id }) => valuation_id}
            columns={columnsOf({
              onTag: (one) => show({ tag: one }),
              onEdit: setEdited,
              onRemove: (id) => void removing.run(id),
            })}
          />
        )}
        {list.rows.length === 0 && !list.isLoading && !list.problem && (
          <EmptyState title={isSearched ? 'No saved valuation matches.' : 'No saved valuations yet'}>
            {!isSearched && (
              <p>
                Value a property under <a href="/console/value">Value</a>, then press “Save valuation”.
              </p>
            )}
          </EmptyState>
        )}
        <ShowMore list={list} waiting="Loading the saved valuations" />
      </div>
      <ChallengeList />
      {edited && (
        <SaveValuationDialog
          valuationId={edited.valuation_id}
          saved={edited}
          onClose={() => setEdited(null)}
          onSaved={list.reload}
        />
      )}
    </Page>
  );
}

interface RowActions {
  readonly onTag: (tag: string) => void;
  readonly onEdit: (saved: SavedValuation) => void;
  readonly onRemove: (valuationId: string) => void;
}

function columnsOf({ onTag, onEdit, onRemove }: RowActions): Column<SavedValuation>[] {
  return [
    {
      label: 'Name',
      isRowHeader: true,
      isText: true,
      cell: ({ valuation_id, name, note }) => (
        <>
          <a href={`/console/value?valuation=${valuation_id}`}>{name}</a>
          {note && <span class="quiet small second-line">{note}</span>}
        </>
      ),
    },
    {
      label: 'Tags',
      cell: ({ tags }) => (
        <span class="row tags">
          {tags.map((one) => (
            <Button key={one} isSmall label={`Show only ${one}`} onClick={() => onTag(one)}>
              {one}
            </Button>
          ))}
        </span>
      ),
    },
    { label: 'Address', isText: true, cell: ({ formatted_address: address }) => address ?? '' },
    numberColumn<SavedValuation>('Value', ({ point_value }) => point_value, formatUsd),
    dateColumn<SavedValuation>('As of', ({ as_of_date }) => as_of_date, formatDay),
    {
      label: 'Saved',
      cell: ({ saved_by: by, saved_at: at }) => (
        <>
          {by}
          <span class="quiet small second-line nowrap">{formatMoment(at)}</span>
        </>
      ),
    },
    actionsColumn<SavedValuation>((one) => (
      <>
        <a
          class="button small"
          href={reportUrl(one.valuation_id, {
            version: 'appraiser',
            format: 'pdf',
            paper: 'letter',
          })}
          target="_blank"
          rel="noreferrer"
          aria-label={`Report of ${one.name}`}
        >
          Report
        </a>
        <Button isSmall label={`Edit ${one.name}`} onClick={() => onEdit(one)}>
          Edit
        </Button>
        <Button
          isSmall
          label={`Remove ${one.name} from the saved valuations`}
          onClick={() => onRemove(one.valuation_id)}
        >
          Remove
        </Button>
      </>
    )),
  ];
}
