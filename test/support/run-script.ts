import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A process of a test, with its output. */
export interface RunningScript {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** Resolves to the first line, past or future, that matches. Rejects if the process ends before. */
  line(pattern: RegExp): Promise<string>;
  /** Resolves to its exit code, or to the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** Runs TypeScript source as a separate process with the imports of tests. */
export function runScript(source: string, { ipc = false }: { ipc?: boolean } = {}): RunningScript {
  const args = ['--import=tsx', '--conditions=source', '--input-type=module', '--eval', source];
  return watch(
    spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])] }),
  );
}

/** Reads the output lines of a new process. */
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
  // Not the event `close`: it never comes after this side has closed the IPC channel.
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
