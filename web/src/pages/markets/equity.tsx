import { useState } from 'preact/hooks';
import type { EquityFigure, EquityStudy } from '../../api/markets.ts';
import { Badge } from '../../parts/basics.tsx';
import { SelectField } from '../../parts/field.tsx';
import { formatMany } from '../../parts/format.ts';
import { Table, type Column } from '../../parts/table.tsx';
import { equityFigure, measureWords, rangeText, VERDICT_NAMES, verdictSentence } from './equity-words.ts';
import { TYPE_NAMES } from './words.ts';

/** Median ratio, COD, PRD, PRB and VEI, compared with the ranges of assessors. */
export function Equity({ studies }: { readonly studies: readonly EquityStudy[] }) {
  const [stratum, setStratum] = useState('all');
  const study = studies.find((each) => each.stratum === stratum) ?? studies[0];
  if (!study) return null;
  return (
    <div class="stack">
      <div class="section-head">
        <div>
          <h3>Uniformity and equity</h3>
          <p class="quiet small">
            The assessors’ figures, with 95% confidence intervals by bootstrap. Ranges of the International
            Association of Assessing Officers, Standard on Ratio Studies: median ratio, COD, PRD and PRB of
            2013, VEI of the exposure draft of 2025. Other tables mark a COD, PRD, PRB or VEI outside of its
            range. By area, value tier and month they compare the figure alone, of 30 sales or more, so one
            near a bound can be chance.
          </p>
        </div>
        {studies.length > 2 && (
          <SelectField
            label="Sales of"
            value={stratum}
            choices={studies
              .toSorted((a, b) => b.n - a.n)
              .map(({ stratum: value, n }) => ({
                value,
                label: `${value === 'all' ? 'All types' : (TYPE_NAMES[value] ?? value)} (${formatMany(n, 'sale')})`,
              }))}
            onInput={setStratum}
          />
        )}
      </div>
      <Table
        caption="Uniformity and equity"
        columns={COLUMNS}
        rows={study.measures}
        keyOf={({ measure }) => measure}
      />
    </div>
  );
}

const COLUMNS: readonly Column<EquityFigure>[] = [
  {
    label: 'Measure',
    isRowHeader: true,
    cell: ({ measure }) => <span class="nowrap">{measureWords(measure).name}</span>,
  },
  {
    label: 'Figure',
    isNumber: true,
    cell: (figure) => <span class="nowrap">{equityFigure(figure)}</span>,
  },
  { label: 'Range', isNumber: true, cell: (figure) => <span class="nowrap">{rangeText(figure)}</span> },
  {
    label: 'Result',
    cell: ({ verdict }) => (
      <Badge kind={verdict === 'in_range' ? 'ok' : verdict === 'uncertain' ? 'plain' : 'warn'}>
        {VERDICT_NAMES[verdict]}
      </Badge>
    ),
  },
  {
    label: 'What it means',
    isText: true,
    cell: (figure) => (
      <>
        {verdictSentence(figure)}
        <div class="quiet small">{measureWords(figure.measure).meaning}</div>
      </>
    ),
  },
];
