import { useState } from 'preact/hooks';
import { loadImport, type ImportInspection } from '../../api/imports.ts';
import { listMarkets } from '../../api/markets.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { Button, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { Checkbox, SelectField, TextField } from '../../parts/field.tsx';
import { formatCount, formatMany, formatPercent } from '../../parts/format.ts';
import { rowsInWords } from './rows-in-words.ts';
import { decideText, openChecks, type Decisions } from './findings.tsx';

export const NEW_MARKET = '';
/** More invalid rows than this share are loaded only if the user says so. */
const USUAL_INVALID = 0.05;

/** `WI Milwaukee` → `wi-milwaukee` */
function marketIdOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** The market, whether it is trained afterwards, and the button that loads the file. */
export function LoadFile(props: {
  readonly inspection: ImportInspection;
  readonly features: readonly string[] | null;
  readonly decisions: Decisions;
  readonly market: string;
  readonly onMarket: (id: string) => void;
  readonly isInspecting: boolean;
  readonly onLoad: () => void;
}) {
  const { inspection, features, decisions, market: chosen, onMarket, isInspecting, onLoad } = props;
  const { kind, usable_rows: usable, mapping, findings, rejections, places } = inspection;
  const markets = useRequest(listMarkets, []);
  const [newName, setNewName] = useState('');
  const [trains, setTrains] = useState(true);
  const [leavesOut, setLeavesOut] = useState(false);
  const [place, setPlace] = useState('');
  const [days, setDays] = useState('');
  const invalid = rejections.reduce((sum, { is_skipped, count }) => sum + (is_skipped ? 0 : count), 0);
  const unlocated = rejections.find(({ reason }) => reason === 'not_located')?.count ?? 0;
  const share = invalid / Math.max(1, invalid + usable);
  const isTooMany = share > USUAL_INVALID;
  const decide = decideText(openChecks(findings, decisions));
  const newId = marketIdOf(newName);
  const canTrain = kind === 'sales' || kind === 'rents';
  const marketId = chosen === NEW_MARKET ? newId : chosen;
  const isIndex = kind === 'index';
  const needsDays = isIndex && !/"(hpi_flavor|published_date)"/.test(mapping);
  const loading = useAction(async () => {
    await loadImport(inspection.id, {
      kind,
      mapping,
      features,
      leave_out: decisions.leaveOut,
      accept: decisions.accept,
      market_id: marketId,
      leaves_out: isTooMany && leavesOut,
      trains: canTrain && trains,
      cbsa: place === '' ? null : place,
      published_after_days: days === '' ? null : Number(days),
    });
    onLoad();
  });
  const known = markets.data?.some(({ id }) => id === newId) && chosen === NEW_MARKET;
  const reasons = [
    ...(decide === null ? [] : [decide]),
    ...(known ? [`The market ${newId} exists. Choose it in the list.`] : []),
    ...(isTooMany && !leavesOut ? ['Decide about the invalid rows.'] : []),
    ...(places.length > 1 && place === '' ? ['Choose the place.'] : []),
    ...(needsDays && !/^\d{1,3}$/.test(days) ? ['Enter the days to publication.'] : []),
    ...(usable === 0 ? [unlocated > 0 ? 'No row has a place.' : 'No row can be read.'] : []),
  ];
  return (
    <div class="stack">
      {unlocated > 0 && (
        <Notice
          kind="warn"
          title={`${formatMany(unlocated, 'row')} ${unlocated === 1 ? 'has' : 'have'} no place.`}
        >
          <p>
            {chosen === NEW_MARKET
              ? 'They have no coordinates, and a new market has no parcels or addresses that place them. Choose a market that has, or import its parcels or addresses first.'
              : `They have no coordinates, and no parcel or address of ${chosen} places them. Import its parcels or addresses first.`}
          </p>
        </Notice>
      )}
      <div class="narrow stack">
        <SelectField
          label="Market"
          value={chosen}
          choices={[
            { value: NEW_MARKET, label: 'New market …' },
            ...(markets.data ?? []).map(({ id }) => ({ value: id, label: id })),
          ]}
          onInput={onMarket}
        />
        {chosen === NEW_MARKET && (
          <TextField
            label="Name of the new market"
            hint={`The state and the county or city, such as WI Milwaukee.${newId === '' ? '' : ` Its id will be ${newId}.`}`}
            value={newName}
            maxLength={63}
            onInput={setNewName}
          />
        )}
        {places.length > 1 && (
          <SelectField
            label="Place"
            hint="The metro or metropolitan division that the market is in."
            value={place}
            choices={[
              { value: '', label: 'Choose …' },
              ...places.map(({ id, name }) => ({ value: id, label: name === '' ? id : `${name} (${id})` })),
            ]}
            onInput={setPlace}
          />
        )}
        {needsDays && (
          <TextField
            label="Days to publication"
            hint="From the end of a period to the day on which its figure is published. Values do not use a figure before that day."
            value={days}
            inputMode="numeric"
            maxLength={3}
            onInput={setDays}
          />
        )}
      </div>
      {isTooMany && (
        <Checkbox
          label={`Leave ${formatCount(invalid)} invalid rows out (${formatPercent(share)})`}
          hint="More than 5% are often a sign of a wrong column."
          isChecked={leavesOut}
          onChange={setLeavesOut}
        />
      )}
      {canTrain && (
        <Checkbox
          label="Train the market afterwards"
          hint="Values come from the newest training. Training takes seconds to minutes."
          isChecked={trains}
          onChange={setTrains}
        />
      )}
      {!isIndex && <p>{rowsInWords(inspection)}</p>}
      {reasons.length > 0 && <p class="small">{reasons.join(' ')}</p>}
      {loading.problem && <ProblemNotice problem={loading.problem} />}
      <div>
        <Button
          kind="primary"
          busy={loading.isBusy && 'Loading …'}
          isDisabled={reasons.length > 0 || marketId === '' || isInspecting}
          onClick={() => void loading.run()}
        >
          Load {isIndex ? 'the index' : `${formatCount(usable)} ${kind}`}
        </Button>
      </div>
    </div>
  );
}
