import type { ImportFinding } from '../../api/imports.ts';
import { Badge, Button } from '../../parts/basics.tsx';
import { Checkbox } from '../../parts/field.tsx';
import { labelOf, readableMessage } from '../value/fields.ts';
import { parseMapping } from './mapping.ts';

/** Checks that the user accepts, and those whose rows are left out. */
export interface Decisions {
  readonly accept: readonly string[];
  readonly leaveOut: readonly string[];
}

/** The checks that still prevent loading. */
export function openChecks(findings: readonly ImportFinding[], { accept }: Decisions): ImportFinding[] {
  return findings.filter(({ check, is_blocking: isBlocking }) => isBlocking && !accept.includes(check));
}

/** `Missing columns: bathrooms`, `Swapped coordinates` */
function titleOf({ check, column }: ImportFinding): string {
  const isOfColumn = check === 'missing_columns' && column !== null;
  return labelOf(check) + (isOfColumn ? `: ${labelOf(column).toLowerCase()}` : '');
}

/** `Decide about swapped coordinates; rounded ids.`; null if all checks are decided. */
export function decideText(open: readonly ImportFinding[]): string | null {
  const titles = open.map((finding) => titleOf(finding).toLowerCase());
  return titles.length === 0 ? null : `Decide about ${titles.join('; ')}.`;
}

/** What the checks found, what would resolve it, and the choice to load the file anyway. */
export function Findings(props: {
  readonly findings: readonly ImportFinding[];
  /** The current mapping, which fixes change. */
  readonly mapping: string;
  readonly decisions: Decisions;
  readonly onMapping: (mapping: string) => void;
  readonly onDecisions: (decisions: Decisions) => void;
}) {
  const { findings, mapping, decisions, onMapping, onDecisions } = props;
  const apply = (change: string): void =>
    onMapping(JSON.stringify({ ...parseMapping(mapping), ...parseMapping(change) }));
  const toggled = (checks: readonly string[], check: string, isOn: boolean): readonly string[] => [
    ...checks.filter((name) => name !== check),
    ...(isOn ? [check] : []),
  ];
  const { accept, leaveOut } = decisions;
  return (
    <ul class="findings">
      {findings.map((finding) => {
        const { check, column, message, examples, remedy, fixes } = finding;
        const isLeftOut = leaveOut.includes(check);
        const isOpen = finding.is_blocking && !accept.includes(check);
        const unnamed = examples.filter((example) => !message.includes(example));
        return (
          <li key={`${check} ${column} ${message}`} class="card stack">
            <div class="row">
              <strong>{titleOf(finding)}</strong>
              {isOpen ? (
                <Badge kind="warn">decide</Badge>
              ) : (
                <Badge>
                  {isLeftOut ? 'left out' : accept.includes(check) ? 'accepted' : 'for information'}
                </Badge>
              )}
            </div>
            <p>{readableMessage(message)}</p>
            {unnamed.length > 0 && <p class="quiet small breaks">For example: {unnamed.join('; ')}</p>}
            {!isLeftOut && <p class="small">{readableMessage(remedy)}</p>}
            {fixes.length > 0 && !isLeftOut && (
              <div class="row">
                {fixes.map(({ label, mapping: change }) => (
                  <Button key={label} isSmall onClick={() => apply(change)}>
                    {label}
                  </Button>
                ))}
              </div>
            )}
            {finding.leaving_out && (
              <Checkbox
                label={finding.leaving_out}
                isChecked={isLeftOut}
                onChange={(isOn) => onDecisions({ ...decisions, leaveOut: toggled(leaveOut, check, isOn) })}
              />
            )}
            {/* One of the fixes of a missing column is that there is none. */}
            {finding.is_blocking && !(check === 'missing_columns' && fixes.length > 0) && (
              <Checkbox
                label="The file is right: load it as it is"
                isChecked={accept.includes(check)}
                onChange={(isOn) => onDecisions({ ...decisions, accept: toggled(accept, check, isOn) })}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
