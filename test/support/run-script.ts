import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A process of a test, with all that it wrote. */
export interface RunningScript {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** Resolves to the first line, past or future, that matches; rejects when the process ends before. */
  line(pattern: RegExp): Promise<string>;
  /** Resolves to its exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** Runs TypeScript, given as text, as a process of its own that can import what tests can. */
export function runScript(source: string, { ipc = false }: { ipc?: boolean } = {}): RunningScript {
  const args = ['--import=tsx', '--conditions=source', '--input-type=module', '--eval', source];
  return watch(
    spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])] }),
  );
}

/** Reads the lines of a process that was just started. */
export function watch(child: ChildProcess): RunningScript {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let over = false;
  const look = () => {
    for (const one of waiting) one();
  };
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const read = streams.map((stream) => {
    const reader = createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      look();
    });
    return once(reader, 'close');
  });
  // Not the event `close`: it never comes after the IPC channel was closed from this side.
  const ended = Promise.all([once(child, 'exit'), ...read]).then(([[code, signal]]) => {
    over = true;
    look();
    return (code ?? signal) as number | string;
  });

  function line(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const search = () => {
        const found = lines.find((text) => pattern.test(text));
        if (found === undefined && !over) return;
        waiting.delete(search);
        if (found !== undefined) resolve(found);
        else reject(new Error(`ended without a line like ${pattern}:\n${lines.join('\n')}`));
      };
      waiting.add(search);
      search();
    });
  }
  return { child, lines, line, ended };
}
