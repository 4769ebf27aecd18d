import { readMarket, type Market } from '../../api/markets.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Answered } from '../../parts/answered.tsx';
import { formatCount, formatDay, formatMany, formatPercent } from '../../parts/format.ts';
import { Figures, Page, Section } from '../../parts/page.tsx';
import { Accuracy } from './accuracy.tsx';
import { MissingData } from './missing-data.tsx';
import { ModelHistory } from './model-history.tsx';
import { useFresh } from './use-fresh.ts';
import { Versions } from './versions.tsx';
import { Work } from './work.tsx';

/** One market: what is done to it now, how good its values are, what is loaded, what is not, and its models. */
export function MarketPage({ id }: { readonly id: string }) {
  const asked = useAnswer((signal) => readMarket(id, signal), [id]);
  useFresh(
    asked,
    (asked.answer?.work ?? []).some(({ state }) => state !== 'lost'),
  );
  return (
    <Page
      title={`Market ${id}`}
      isWide
      actions={
        <a class="button" href="/console/markets">
          All markets
        </a>
      }
    >
      <Answered asked={asked} waiting="Reading the market">
        {(market) => (
          <>
            <Work work={market.work} />
            <Glance market={market} />
            <Accuracy market={market} />
            <Section
              title="What is loaded"
              lead="Versions in force; an import makes a new one and swaps it in whole."
            >
              <Versions versions={market.versions} />
            </Section>
            <MissingData market={market} />
            <Section
              title="Models"
              lead="One for each kind and training day; as-of dates are answered by the newest trained on or before them."
            >
              <ModelHistory market={market} />
            </Section>
          </>
        )}
      </Answered>
    </Page>
  );
}

function Glance({ market }: { readonly market: Market }) {
  const rows = (kind: string) => market.loaded.find((each) => each.kind === kind)?.rows ?? null;
  const property = market.models.find(({ kind }) => kind === 'property');
  const accuracy = property?.accuracy ?? null;
  const last = (types: Market['sale_types']) =>
    types
      .map(({ last_on }) => last_on)
      .toSorted()
      .at(-1) ?? null;
  return (
    <Figures
      figures={[
        {
          label: 'Sales',
          value: formatCount(rows('sales')),
          note:
            market.sale_types.length > 0
              ? `the last on ${formatDay(last(market.sale_types))}`
              : 'none loaded',
        },
        {
          label: 'Rents',
          value: formatCount(rows('rents')),
          note:
            market.rent_types.length > 0
              ? `the last on ${formatDay(last(market.rent_types))}`
              : 'none loaded',
        },
        {
          label: 'Median error of homes',
          value: formatPercent(accuracy?.mdape),
          note: accuracy ? `of ${formatMany(accuracy.n, 'holdout sale')}` : 'not measured',
        },
        {
          label: 'Prices in the 90% range',
          value: formatPercent(accuracy?.coverage_90),
          note: accuracy?.coverage_90 == null ? 'not measured' : 'target 90%',
        },
        {
          label: 'Trained on',
          value: formatDay(property?.trained_on),
          note: property ? formatMany(property.count, 'model') : 'no model of homes',
        },
      ]}
    />
  );
}
