import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { BIN } from './support.ts';

/** A command that runs until it is stopped. */
export interface Running {
  readonly child: ChildProcess;
  /** The lines of stdout so far. */
  readonly lines: string[];
  /** The lines of stdout so far, as JSON. */
  rows(): Record<string, unknown>[];
  stderr(): string;
  /** Sends a signal, and resolves to the exit code; null after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Resolves to the exit code. */
  readonly exited: Promise<number | null>;
}

/** Starts `sluice` in a separate process. It inherits only PATH. */
export function startSluice(args: readonly string[], env: Readonly<Record<string, string>>): Running {
  const child = spawn(process.execPath, [BIN, ...args], { env: { PATH: process.env.PATH ?? '', ...env } });
  const lines: string[] = [];
  let stderr = '';
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    child,
    lines,
    rows: () => lines.map((line) => JSON.parse(line)),
    stderr: () => stderr,
    exited,
    end(signal) {
      child.kill(signal);
      return exited;
    },
  };
}
