import process from 'node:process';

/**
 * Runs the commands that its parent sends, one after the other, and answers with the exit code and the output
 * of each. test/wrong-input.test.ts starts it once, because loading the program takes longer than most commands.
 */
let [stdout, stderr] = ['', ''];
process.stdout.write = (text) => {
  stdout += String(text);
  return true;
};
process.stderr.write = (text) => {
  stderr += String(text);
  return true;
};
// Each command adds a listener.
process.stdout.setMaxListeners(0);

let commands = 0;
process.on('message', async (args: string[]) => {
  [stdout, stderr] = ['', ''];
  process.exitCode = 0;
  process.argv.splice(2, Infinity, ...args);
  // The main module runs the command when it is loaded. It is loaded again for each address.
  commands += 1;
  await import(`../src/main.ts?command=${commands}`);
  process.send?.({ code: process.exitCode, stdout, stderr });
});
