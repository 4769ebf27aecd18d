/**
 * A variable's name: table, line and kind. `B25003_002E` is the estimate of line 002 of table B25003,
 * `DP04_0046PE` a percentage that the Bureau publishes, `S1701_C03_001E` a line and column of a subject
 * table; `B25003_002E_pct` is derived by Plumbline.
 */
interface VariableKey {
  readonly tableId: string;
  /** The part after the table: `002E`, `0046PE`, `C03_001E`. */
  readonly suffix: string;
  /** Derived: the share of the table's universe. */
  readonly isShare: boolean;
}

const TABLE_ID = '(?:[BC]\\d{5}[A-I]?|DP\\d{2}|S\\d{4})(?:PR)?';
const LINE = '(?:C\\d{2}_)?\\d{3,4}';
const KEY = new RegExp(`^(${TABLE_ID})_(${LINE}P?E)(_pct)?$`);
const COLUMN = new RegExp(`^(${TABLE_ID})_(${LINE}P?)([EM])(A?)$`);

export function parseVariableKey(text: string): VariableKey | null {
  const [, tableId, suffix, share] = KEY.exec(text) ?? [];
  return tableId === undefined ? null : { tableId, suffix, isShare: share !== undefined };
}

export function variableKeyText({ tableId, suffix, isShare }: VariableKey): string {
  return `${tableId}_${suffix}${isShare ? '_pct' : ''}`;
}

/** A column of the Bureau's files: an estimate, its margin of error, or the annotation of either. */
export function parseCensusColumn(name: string) {
  const [, tableId, line, part, annotation] = COLUMN.exec(name.toUpperCase()) ?? [];
  if (tableId === undefined) return null;
  return {
    tableId,
    suffix: `${line}E`,
    part: part === 'E' ? ('estimate' as const) : ('margin' as const),
    isAnnotation: annotation === 'A',
  };
}
