import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The root of the repository, whatever folder a script was called from. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a command in the root, its output as is; resolves to its exit code. Ends with us. */
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
      // The one who asked us to stop sees a stop and not a failure to explain; npm makes an exit code of the signal.
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

/** One line for a person, apart from what the commands print. */
export function say(line) {
  process.stdout.write(`sluice: ${line}\n`);
}

/** The text of a length of time: `4.2 s`. */
export function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
