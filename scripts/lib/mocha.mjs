import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT, say } from './run.mjs';

const MOCHA = join(ROOT, 'node_modules', 'mocha', 'lib', 'cli', 'cli.js');
const REPORTER = join(ROOT, 'scripts', 'lib', 'telling-reporter.mjs');
/** After the last test, everything that tests opened must be closed. Then the process ends without help. */
const LEAK_WAIT_MS = 15_000;

/**
 * Runs mocha. Resolves to its counts, to a title and text for each failure, and to the time of each file (`took`). A run
 * that ends before its summary, or whose process does not end, is one more failure. The output appears at once, or one
 * file at a time if another mocha runs concurrently.
 */
export async function runMocha(name, args, { env = process.env, alone = true } = {}) {
  const nodeArgs = ['--import=tsx', '--conditions=source', MOCHA, '--reporter', REPORTER];
  const child = spawn(process.execPath, [...nodeArgs, ...args], {
    cwd: ROOT,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  });
  const pass = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);

  let held = '';
  let result;
  let leak = false;
  let open = [];
  let timer;
  createInterface({ input: child.stdio[3] }).on('line', (json) => {
    const message = JSON.parse(json);
    if (message.open !== undefined) open = message.open;
    if (message.line !== undefined) held += `${message.line}\n`;
    if (message.pause || alone) {
      process.stdout.write(held);
      held = '';
    }
    if (message.result === undefined) return;
    result = message.result;
    timer = setTimeout(() => {
      leak = true;
      child.kill('SIGKILL');
    }, LEAK_WAIT_MS);
  });
  const code = await new Promise((resolve) => child.once('close', (exit) => resolve(exit ?? 1)));
  clearTimeout(timer);
  for (const signal of SIGNALS) process.off(signal, pass);
  process.stdout.write(held);
  return judge({ name, result, leak, open, code });
}

const SIGNALS = ['SIGINT', 'SIGTERM'];

function judge({ name, result, leak, open, code }) {
  if (result === undefined) {
    return oneMore(
      { passed: 0, failed: 0, failures: [] },
      `${name}: mocha ended with code ${code} before its summary; see above`,
    );
  }
  if (leak) {
    return oneMore(
      result,
      `${name}: the tests are over but their process does not end: some test left a server, socket, timer or process open`,
      open.map((handle) => `  open: ${handle}`).join('\n'),
    );
  }
  if (code !== 0 && result.failed === 0)
    return oneMore(result, `${name}: mocha ended with code ${code}; see above`);
  return result;
}

function oneMore(result, title, text = '') {
  say(title);
  const { failed, failures } = result;
  return { ...result, failed: failed + 1, failures: [...failures, { title, text }] };
}
