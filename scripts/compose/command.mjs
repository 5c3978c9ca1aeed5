import { spawn } from 'node:child_process';
import { ROOT } from '../lib/run.mjs';

const LAST_LINES = 40;
const running = new Set();

/**
 * Runs a command in the root and collects its output. Resolves to `{ code, output }`. Never rejects: a command that
 * does not exist has code 127. `timeoutMs` ends it with SIGTERM.
 */
export function run(command, args, { env = process.env, timeoutMs, input } = {}) {
  return new Promise((resolve) => {
    const stdio = [input ?? 'ignore', 'pipe', 'pipe'];
    const child = spawn(command, args, { cwd: ROOT, env, stdio, timeout: timeoutMs });
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    const end = (code) => {
      running.delete(child);
      resolve({ code, output });
    };
    child.once('error', (error) => end(error.code === 'ENOENT' ? 127 : 126));
    child.once('close', (code) => end(code ?? 1));
  });
}

/** Runs a command that must succeed, and resolves to its output. Throws an error with the last lines. */
export async function must(command, args, options) {
  const { code, output } = await run(command, args, options);
  if (code === 0) return output;
  const last = output.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
  throw new Error(`${command} ${args.slice(0, 3).join(' ')} … ended with ${code}:\n${last}`);
}

/** Ends the commands that still run. */
export function endCommands() {
  for (const child of running) child.kill('SIGTERM');
}
