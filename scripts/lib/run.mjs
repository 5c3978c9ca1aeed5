import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The root of the repository, independent of the current folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a command in the root and passes its output through. Resolves to its exit code. Ends with this process. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
    let asked = null;
    const pass = (signal) => {
      asked = signal;
      child.kill(signal);
    };
    const ended = (code, signal) => {
      for (const name of SIGNALS) process.off(name, pass);
      // Report a requested stop as a stop, not as a failure. npm turns the signal into an exit code.
      const stoppedBy = signal ?? (code === 0 ? null : asked);
      if (stoppedBy !== null) process.exit(stoppedBy === 'SIGINT' ? 130 : 143);
      resolve(code ?? 1);
    };
    for (const name of SIGNALS) process.on(name, pass);
    child.once('error', reject);
    child.once('exit', ended);
  });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Prints one line for a person, besides the output of the commands. */
export function say(line) {
  process.stdout.write(`sluice: ${line}\n`);
}

/** A duration as text: `4.2 s`. */
export function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
