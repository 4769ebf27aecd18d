import type { Preparation } from '../../domain/report.ts';
import type { Block } from '../../reports/document.ts';

/** Who prepared the report and for whom; nothing if the request did not say. */
export function preparationBlocks(preparation: Preparation = {}): Block[] {
  const { preparedBy, licenseNumber, licenseState, preparedFor, fileNumber } = preparation;
  const license = [licenseState, licenseNumber].filter(Boolean).join(' ');
  const facts = [
    ['Prepared by', preparedBy],
    ['License', license],
    ['Prepared for', preparedFor],
    ['File number', fileNumber],
  ] as const;
  const given = facts.flatMap(([label, value]) => (value ? [[label, value] as const] : []));
  return given.length === 0 ? [] : [{ kind: 'facts', facts: given }];
}
