import { useLocation } from 'preact-iso/router';
import {
  listMarketAreas,
  listMarkets,
  readMarketIndex,
  type MarketAreas,
  type MarketSummary,
  type TrendScope,
} from '../../api/markets.ts';
import { useRequest } from '../../api/use-request.ts';
import { Button, EmptyState, Notice, WhenLoaded } from '../../parts/basics.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { formatDay, formatMonth, withMarketNames, withReadableDates } from '../../parts/format.ts';
import { Page } from '../../parts/page.tsx';
import { marketName } from '../../../../src/domain/market-name.ts';
import { PROPERTY_TYPE_LABELS } from '../../../../src/domain/property-types.ts';
import { useSession } from '../../shell/session-context.tsx';
import { earliestDateIn, todayOf } from '../value/as-of-days.ts';
import { areaName, namedAreas } from './area-name.ts';
import { AreaChanges } from './area-changes.tsx';
import { endOfData } from './end-of-data.ts';
import { IndexPlots } from './index-plots.tsx';

/** How prices and rents of a market have moved, by type and area, and a forecast. */
export default function TrendsPage() {
  const markets = useRequest(listMarkets, []);
  // One request for the index and one for the areas.
  const { prices } = useSession().session;
  return (
    <Page
      title="Market trends"
      lead={`Prices of comparable homes by month, and a forecast, as known on the as-of date.${prices ? ` Each view costs ${2 * prices.market_index} credits.` : ''}`}
      isWide
    >
      <WhenLoaded of={markets} waiting="Loading the markets">
        {(all) => {
          const trained = all.filter(({ models }) => models.some(({ kind }) => kind !== 'multifamily'));
          if (trained.length === 0) {
            return (
              <EmptyState title="No market has a model yet">
                <p>Import sales or rents and train a model; its price index is shown here.</p>
              </EmptyState>
            );
          }
          return <Trends markets={trained} />;
        }}
      </WhenLoaded>
    </Page>
  );
}

function Trends({ markets }: { readonly markets: readonly MarketSummary[] }) {
  // In the address, so that a reload or a link shows the same.
  const { query, path, route } = useLocation();
  const first = markets.find(({ id }) => id === query.market) ?? markets[0];
  const scope: TrendScope = {
    market: first?.id ?? '',
    propertyType: query.property_type || null,
    area: query.area || null,
    date: query.date || null,
  };
  const today = todayOf(new Date());
  const setScope = ({ market: id, propertyType: type, area: of, date }: TrendScope): void =>
    route(
      `${path}?${new URLSearchParams({ market: id, ...(type && { property_type: type }), ...(of && { area: of }), ...(date && { date }) })}`,
      true,
    );
  const market = markets.find(({ id }) => id === scope.market);
  const hasPrices = market?.models.some(({ kind }) => kind === 'property') ?? false;
  const types = [
    ...new Set([...(market?.sale_types ?? []), ...(market?.rent_types ?? [])].map(({ type }) => type)),
  ];
  const { propertyType, area, date } = scope;
  const areas = useRequest(
    async (signal) => {
      if (!hasPrices) return null;
      const found = await listMarketAreas(scope, signal);
      return { ...found, areas: namedAreas(found.areas) };
    },
    [scope.market, propertyType, date],
  );
  const index = useRequest(
    (signal) => readMarketIndex(scope, signal),
    [scope.market, propertyType, area, date],
  );
  const earliest = index.problem && earliestDateIn(index.problem.message, date ?? today);
  return (
    <>
      <div class="row">
        <SelectField
          label="Market"
          value={scope.market}
          choices={markets.map(({ id }) => ({ value: id, label: marketName(id) }))}
          onInput={(id) => setScope({ market: id, propertyType: null, area: null, date })}
        />
        <SelectField
          label="Property type"
          value={propertyType ?? ''}
          choices={[
            { value: '', label: 'All types' },
            ...types.map((type) => ({ value: type, label: PROPERTY_TYPE_LABELS[type] })),
          ]}
          onInput={(type) => setScope({ ...scope, propertyType: type || null })}
        />
        <SelectField
          label="Area"
          value={area ?? ''}
          choices={[{ value: '', label: 'Whole market' }, ...areaChoices(areas.data, area)]}
          onInput={(id) => setScope({ ...scope, area: id || null })}
        />
        <TextField
          label="As-of date"
          type="date"
          value={date ?? today}
          onInput={(day) => {
            // Not the first digits of a year.
            if (day >= '1950-01-01' && day <= today) setScope({ ...scope, date: day === today ? null : day });
          }}
        />
      </div>
      {index.problem && earliest ? (
        <Notice kind="warn" title="Not enough data">
          <p>{withMarketNames(withReadableDates(index.problem.message))}</p>
          <div class="row">
            <Button isSmall onClick={() => setScope({ ...scope, date: earliest })}>
              Show as of {formatDay(earliest)}
            </Button>
          </div>
        </Notice>
      ) : (
        <WhenLoaded of={index} waiting="Loading the index">
          {(found) => (
            <>
              <OldData
                lastMonth={found.prices?.last_month}
                asOf={date ?? today}
                trainedOn={market?.models.find(({ kind }) => kind === 'property')?.trained_on}
                onDate={(day) => setScope({ ...scope, date: day })}
              />
              <IndexPlots index={found}>
                {hasPrices && (
                  <WhenLoaded of={areas} waiting="Finding the areas of all sales">
                    {(changes) => changes && <AreaChanges found={changes} />}
                  </WhenLoaded>
                )}
              </IndexPlots>
            </>
          )}
        </WhenLoaded>
      )}
    </>
  );
}

/** Offers the day on which the data end, if most of the charts would be a forecast. */
function OldData(props: {
  readonly lastMonth: string | undefined;
  readonly asOf: string;
  readonly trainedOn: string | undefined;
  readonly onDate: (day: string) => void;
}) {
  const { lastMonth, asOf, trainedOn, onDate } = props;
  const end = lastMonth && trainedOn ? endOfData(lastMonth, asOf, trainedOn) : null;
  if (end === null || lastMonth === undefined) return null;
  return (
    <Notice kind="info" title={`The sales end in ${formatMonth(lastMonth)}; everything later is a forecast.`}>
      <p>
        <Button isSmall onClick={() => onDate(end)}>
          Show as of {formatDay(end)}
        </Button>
      </p>
    </Notice>
  );
}

/** Areas with an index, and the chosen one. */
function areaChoices(found: MarketAreas | null, chosen: string | null) {
  return (found?.areas ?? [])
    .filter(({ area, year_over_year_pct: change }) => change !== null || area === chosen)
    .map(({ area, name }) => ({ value: area, label: areaName({ area, name }) }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en-US', { numeric: true }));
}
