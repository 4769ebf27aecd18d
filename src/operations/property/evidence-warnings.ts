import type { Day } from '../../domain/day.ts';
import { ATTRIBUTES, PROPERTY_TYPES, type Attribute } from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import { poolRows, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import type { DescribedSubject } from './describe-subject.ts';

/** What the sales that a model learned from tell of an attribute. */
interface Told {
  readonly least: number;
  readonly most: number;
}

interface EvidenceTold {
  /** An attribute that no sale tells is absent. */
  readonly attributes: ReadonlyMap<Attribute, Told>;
  readonly types: ReadonlySet<number>;
}

/** Columns are replaced with every import; models of several days share them. */
const remembered = new WeakMap<SaleColumns, Map<Day, EvidenceTold>>();

/**
 * Of what the caller said: what the model could not learn from its sales. `field` is the attribute, for who presents it. Depends on the
 * sales of the model's training day alone, so that no later sale changes an answer.
 */
export function evidenceWarnings(
  columns: SaleColumns,
  trainedOn: Day,
  { home, typeSource, sources }: Pick<DescribedSubject, 'home' | 'typeSource' | 'sources'>,
): Warning[] {
  const { attributes, types } = toldBy(columns, trainedOn);
  const warnings: Warning[] = [];
  if (typeSource === 'request' && !types.has(PROPERTY_TYPES.indexOf(home.type))) {
    warnings.push({
      code: 'type_not_in_evidence',
      field: 'property_type',
      message: 'The model learned from no sale of this type: the value is that of other types at this place.',
    });
  }
  for (const attribute of ATTRIBUTES) {
    const value = home.attributes[attribute];
    if (sources[attribute] !== 'request' || value === null) continue;
    const message = messageOf(value, attributes.get(attribute));
    if (message) warnings.push({ ...message, field: attribute });
  }
  return warnings;
}

function messageOf(value: number, told: Told | undefined): Omit<Warning, 'field'> | null {
  if (!told) {
    const message = 'No sale that the model learned from tells this, so that it changes nothing.';
    return { code: 'not_in_evidence', message };
  }
  if (value >= told.least && value <= told.most) return null;
  if (told.least === told.most) {
    const message = 'All sales that the model learned from are alike in this, so that it changes nothing.';
    return { code: 'not_in_evidence', message };
  }
  const [than, of] = value > told.most ? ['more', told.most] : ['less', told.least];
  return {
    code: 'beyond_evidence',
    message: `${value} is ${than} than of any sale that the model learned from (${of}): the value cannot follow it.`,
  };
}

function toldBy(columns: SaleColumns, trainedOn: Day): EvidenceTold {
  let ofColumns = remembered.get(columns);
  if (!ofColumns) remembered.set(columns, (ofColumns = new Map()));
  let told = ofColumns.get(trainedOn);
  if (!told) ofColumns.set(trainedOn, (told = readTold(columns, poolRows(columns, trainedOn))));
  return told;
}

/** 5 ms for 50,000 sales. */
function readTold(columns: SaleColumns, rows: Int32Array): EvidenceTold {
  const attributes = new Map<Attribute, Told>();
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
