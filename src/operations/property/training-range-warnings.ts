import type { Day } from '../../domain/day.ts';
import { ATTRIBUTES, PROPERTY_TYPES, type Attribute } from '../../domain/property.ts';
import { fieldNameOf } from '../../schemas/field-names.ts';
import type { Warning } from '../../domain/warning.ts';
import { asOfRows, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import type { DescribedSubject } from './describe-subject.ts';

/** What the sales that a model learned from tell of an attribute. */
interface Range {
  readonly least: number;
  readonly most: number;
}

interface TrainingRanges {
  /** An attribute that no sale tells is absent. */
  readonly attributes: ReadonlyMap<Attribute, Range>;
  readonly types: ReadonlySet<number>;
}

/** Columns are replaced with every import; models of several days share them. */
const remembered = new WeakMap<SaleColumns, Map<Day, TrainingRanges>>();

/**
 * Of what the caller said: what the model could not learn from its sales. `field` is the attribute, for who presents it. Depends on the
 * sales of the model's training day alone, so that no later sale changes an answer.
 */
export function trainingRangeWarnings(
  columns: SaleColumns,
  trainedOn: Day,
  { home, typeSource, sources }: Pick<DescribedSubject, 'home' | 'typeSource' | 'sources'>,
): Warning[] {
  const { attributes, types } = trainingRangesOf(columns, trainedOn);
  const warnings: Warning[] = [];
  if (typeSource === 'request' && !types.has(PROPERTY_TYPES.indexOf(home.type))) {
    warnings.push({
      code: 'type_not_in_training_sales',
      field: 'property_type',
      message: 'The model learned from no sale of this type: the value is that of other types at this place.',
    });
  }
  for (const attribute of ATTRIBUTES) {
    const value = home.attributes[attribute];
    if (sources[attribute] !== 'request' || value === null) continue;
    const message = messageOf(value, attributes.get(attribute));
    if (message) warnings.push({ ...message, field: fieldNameOf(attribute) });
  }
  return warnings;
}

function messageOf(value: number, range: Range | undefined): Omit<Warning, 'field'> | null {
  if (!range) {
    const message = 'No sale that the model learned from tells this, so that it changes nothing.';
    return { code: 'not_in_training_sales', message };
  }
  if (value >= range.least && value <= range.most) return null;
  if (range.least === range.most) {
    const message = 'All sales that the model learned from are alike in this, so that it changes nothing.';
    return { code: 'not_in_training_sales', message };
  }
  const [than, of] = value > range.most ? ['more', range.most] : ['less', range.least];
  return {
    code: 'outside_training_range',
    message: `${value} is ${than} than of any sale that the model learned from (${of}): the value cannot follow it.`,
  };
}

function trainingRangesOf(columns: SaleColumns, trainedOn: Day): TrainingRanges {
  let ofColumns = remembered.get(columns);
  if (!ofColumns) remembered.set(columns, (ofColumns = new Map()));
  let ranges = ofColumns.get(trainedOn);
  if (!ranges) ofColumns.set(trainedOn, (ranges = readTrainingRanges(columns, asOfRows(columns, trainedOn))));
  return ranges;
}

/** 5 ms for 50,000 sales. */
function readTrainingRanges(columns: SaleColumns, rows: Int32Array): TrainingRanges {
  const attributes = new Map<Attribute, Range>();
  for (const attribute of ATTRIBUTES) {
    const values = columns.attributes[attribute];
    let [least, most] = [Infinity, -Infinity];
    for (const row of rows) {
      if (values[row] < least) least = values[row];
      if (values[row] > most) most = values[row];
    }
    if (least <= most) attributes.set(attribute, { least, most });
  }
  return { attributes, types: new Set(Array.from(rows, (row) => columns.type[row])) };
}
