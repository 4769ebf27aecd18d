import type { Command } from 'commander';
import { formatDay } from '../domain/day.ts';
import { VALUATION_KINDS, type ValuationKind } from '../domain/valuation-kind.ts';
import { activateModel, rollBack } from '../operations/training/roll-back.ts';
import { BY_COMMAND_LINE } from '../store/audit-log.ts';
import { withStore } from './configured-store.ts';
import { choiceOption, MARKET_OPTION, type JsonOption } from './options.ts';
import { printResult } from './print.ts';

interface RollbackOptions extends JsonOption {
  readonly market: string;
  readonly kind?: ValuationKind;
  readonly reason: string;
}

export function registerRollback(program: Command): void {
  program
    .command('rollback')
    .requiredOption(...MARKET_OPTION)
    .addOption(
      choiceOption(
        '--kind <kind>',
        'only this kind of model (default: all of the newest training)',
        VALUATION_KINDS,
      ),
    )
    .option('--reason <text>', 'why; kept with the model and in the audit log', 'Rolled back by an operator.')
    .action(rollback);
}

async function rollback({ market: marketId, kind, reason, ...options }: RollbackOptions): Promise<void> {
  const request = { marketId, kind: kind ?? null, reason };
  const rolledBack = await withStore((store) => rollBack(store, request, BY_COMMAND_LINE));
  const lines = rolledBack.map(
    ({ model, previous }) =>
      `Model ${model.modelId} is rolled back; ${previous.modelId} is active again. To undo: plumbline activate ${model.modelId}`,
  );
  printResult(options, rolledBack, lines.join('\n'));
}

export function registerActivate(program: Command): void {
  program
    .command('activate')
    .argument('<model>', 'the id of the model, as "plumbline markets" lists it')
    .action(activate);
}

async function activate(modelId: string, options: JsonOption): Promise<void> {
  const model = await withStore((store) => activateModel(store, modelId, BY_COMMAND_LINE));
  printResult(
    options,
    model,
    `Model ${modelId} is active for as-of dates from ${formatDay(model.trainedOn)} on.`,
  );
}
