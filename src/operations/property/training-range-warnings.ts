import type { Day } from '../../domain/day.ts';
import { ATTRIBUTES, PROPERTY_TYPES, type Attribute } from '../../domain/property.ts';
import { fieldNameOf } from '../../schemas/field-names.ts';
import type { Warning } from '../../domain/warning.ts';
import { asOfRows, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import type { DescribedSubject } from './describe-subject.ts';

/** The range of each attribute in the training sales of a model. */
interface Range {
  readonly least: number;
  readonly most: number;
}

interface TrainingRanges {
  /** An attribute that no sale has is absent. */
  readonly attributes: ReadonlyMap<Attribute, Range>;
  readonly types: ReadonlySet<number>;
}

/** Columns are replaced with every import. Models of several days share them. */
const remembered = new WeakMap<SaleColumns, Map<Day, TrainingRanges>>();

/**
 * Warns about values from the request that the model could not learn from its sales. `field` is the
 * attribute. The result depends only on the sales of the model's training day, so later sales do not change a
 * response.
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
      message:
        'The training sales include no sale of this type, so the value is based on other types at this place.',
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
    const message = 'No training sale has this detail, so it does not affect the value.';
    return { code: 'not_in_training_sales', message };
  }
  if (value >= range.least && value <= range.most) return null;
  if (range.least === range.most) {
    const message = 'All training sales have the same value here, so it does not affect the value.';
    return { code: 'not_in_training_sales', message };
  }
  const [than, of] = value > range.most ? ['more', range.most] : ['less', range.least];
  return {
    code: 'outside_training_range',
    message: `${value} is ${than} than in any training sale (${of}), so the value does not reflect the difference.`,
  };
}

function trainingRangesOf(columns: SaleColumns, trainedOn: Day): TrainingRanges {
  let ofColumns = remembered.get(columns);
  if (!ofColumns) remembered.set(columns, (ofColumns = new Map()));
  let ranges = ofColumns.get(trainedOn);
  if (!ranges) ofColumns.set(trainedOn, (ranges = readTrainingRanges(columns, asOfRows(columns, trainedOn))));
  return ranges;
}

/** Takes 5 ms for 50,000 sales. */
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
