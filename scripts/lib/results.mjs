import { spawn } from 'node:child_process';
import { ROOT, say } from './run.mjs';

/**
 * A result has `passed`, `failed` and `failures`: a title and a text for each. A script passes it to the script that
 * started it, and otherwise prints it. So failures come last, however many scripts ran.
 */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs Node. Resolves to the result that it passes. A process that ends without one has failed. */
export async function resultOf(name, args, env = process.env) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  let result;
  let stoppedBy;
  const pass = (signal) => {
    stoppedBy = signal;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  child.on('message', (message) => {
    result = message;
  });
  const code = await new Promise((resolve) => child.once('exit', (exit) => resolve(exit ?? 1)));
  for (const signal of SIGNALS) process.off(signal, pass);
  if (result !== undefined) return { ...result, stoppedBy };
  const title = `${name} ended with code ${code} before its summary`;
  say(`${title}; see above`);
  return { passed: 0, failed: 1, failures: [{ title, text: '' }], stoppedBy };
}

/** Ends this process if a signal has stopped what gave the result. */
export function exitIfStopped({ stoppedBy }) {
  if (stoppedBy !== undefined) process.exit(stoppedBy === 'SIGINT' ? 130 : 143);
}

export function sum(results) {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    failed: results.reduce((total, { failed }) => total + failed, 0),
    failures: results.flatMap(({ failures }) => failures),
  };
}

/** Passes a result on, or prints it: failures with their text, then by name only, then the counts. */
export async function deliver({ passed, failed, failures }) {
  if (process.send) return new Promise((resolve) => process.send({ passed, failed, failures }, resolve));
  const lines = [
    ...failures.map(({ text }) => text.trimEnd()),
    ...failures.map(({ title }) => `FAILED ${title}`),
    ...(failed > 0 && process.env.SEED ? [`SEED=${process.env.SEED} repeats what was random`] : []),
    ...(passed + failed === 0 ? ['no test ran'] : []),
    `${passed} passed, ${failed} failed`,
  ];
  process.stdout.write(`${lines.filter((line) => line !== '').join('\n')}\n`);
}
