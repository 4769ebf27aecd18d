import { marketName } from '../../../../src/domain/market-name.ts';
import { Notice } from '../../parts/basics.tsx';
import { Checkbox, SelectField, TextField } from '../../parts/field.tsx';
import { formatCount, formatMany, formatPercent } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { NEW_MARKET, REPLACED, type FileChoices } from './file-choices.ts';
import type { FileToLoad } from './import-files.ts';
import { invalidRows, needsDays, unplacedRows } from './open-decisions.ts';
import { namesOf, rowsInWords } from './rows-in-words.ts';

/** How many rows will be loaded, and what the user decides about the others. */
export function FileDecisions(props: {
  readonly file: FileToLoad;
  readonly inspection: NonNullable<FileToLoad['inspection']>;
  readonly market: string;
  readonly onChange: (changed: Partial<FileChoices>) => void;
}) {
  const { file, inspection, market, onChange } = props;
  const { choices, open, waitsFor } = file;
  const { kind, places } = inspection;
  const unplaced = unplacedRows(inspection);
  const { count: invalid, share, isTooMany } = invalidRows(inspection);
  return (
    <Section title="Rows">
      <div class="stack">
        {unplaced > 0 && (
          <Notice
            kind="warn"
            title={`${formatMany(unplaced, 'row')} ${unplaced === 1 ? 'has' : 'have'} no place.`}
          >
            <p>
              {market === NEW_MARKET
                ? 'They have no coordinates, and a new market has no parcels or addresses that place them. Choose a market that has, or import its parcels or addresses first.'
                : `They have no coordinates, and no parcel or address of ${marketName(market)} places them. Import its parcels or addresses first.`}
            </p>
          </Notice>
        )}
        {places.length > 1 && (
          <div class="narrow">
            <SelectField
              label="Place"
              hint="The metro or metropolitan division that the market is in."
              value={choices.place}
              choices={[
                { value: '', label: 'Choose …' },
                ...places.map(({ id, name }) => ({ value: id, label: name === '' ? id : `${name} (${id})` })),
              ]}
              onInput={(place) => onChange({ place })}
            />
          </div>
        )}
        {needsDays(inspection) && (
          <div class="narrow">
            <TextField
              label="Days to publication"
              hint="From the end of a period to the day on which its figure is published. Values do not use a figure before that day."
              value={choices.days}
              inputMode="numeric"
              maxLength={3}
              onInput={(days) => onChange({ days })}
            />
          </div>
        )}
        {isTooMany && (
          <Checkbox
            label={`Leave ${formatCount(invalid)} invalid rows out (${formatPercent(share)})`}
            hint="More than 5% are often a sign of a wrong column."
            isChecked={choices.leavesOut}
            onChange={(leavesOut) => onChange({ leavesOut })}
          />
        )}
        {kind !== 'index' && <p>{rowsInWords(inspection)}</p>}
        {waitsFor.length > 0 && (
          <>
            <p>
              {formatMany(inspection.unplaced_rows, 'row')} without coordinates{' '}
              {inspection.unplaced_rows === 1 ? 'is' : 'are'} placed by {namesOf(waitsFor)}, which{' '}
              {waitsFor.length === 1 ? 'is' : 'are'} loaded first.
            </p>
            {!isTooMany && (
              <Checkbox
                label="Leave out any number of rows that they do not place"
                hint="Otherwise nothing of this file is loaded if more than 5% of its rows have no place."
                isChecked={choices.leavesOut}
                onChange={(leavesOut) => onChange({ leavesOut })}
              />
            )}
          </>
        )}
        {market !== NEW_MARKET && (
          <Checkbox
            label={`Replace ${REPLACED[kind]} of ${marketName(market)}`}
            hint="Otherwise rows with the same id are updated, new ones are added, and the others stay."
            isChecked={choices.replaces}
            onChange={(replaces) => onChange({ replaces })}
          />
        )}
        {open !== null && open.length > 0 && <p class="small">{open.join(' ')}</p>}
      </div>
    </Section>
  );
}
