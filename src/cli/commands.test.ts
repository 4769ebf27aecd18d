import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { registerAllCommands } from './commands.ts';

/** Commands that run until stopped, or whose only output is JSON. */
const WITHOUT_OPTION = ['demo', 'serve', 'work', 'mcp', 'openapi', 'value'];

test('every command that prints a result can print it as JSON', async () => {
  const program = new Command();
  await registerAllCommands(program);
  const leavesOf = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
  const without = program.commands
    .filter((command) => !WITHOUT_OPTION.includes(command.name()))
    .flatMap(leavesOf)
    .filter((command) => !command.options.some(({ long }) => long === '--json'))
    .map((command) => `${command.parent?.name()} ${command.name()}`);
  assert.deepEqual(without, []);
});
