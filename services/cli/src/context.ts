import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { type Audit, type Audited, createAudit, createAudited } from './audit.ts';
import { createOutput, type Output, type OutputStreams } from './output.ts';
import type { Stack } from './stack.ts';

export interface Streams extends OutputStreams {
  readonly stdin: Readable;
}

/** The environment of a command. Tests can replace it. */
export interface Context {
  readonly env: NodeJS.ProcessEnv;
  readonly streams: Streams;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Sets the exit code of a command that fails without an error, such as a check that found a problem. */
  readonly exitWith: (code: number) => void;
}

export interface Job<O> {
  readonly stack: Stack;
  readonly output: Output;
  readonly options: O;
  readonly now: () => number;
  readonly audit: Audit;
  readonly audited: Audited;
}

/** Options of every command. */
export interface CommonOptions {
  readonly json?: true;
}

/** Adds --json to a command that uses the stores, and runs it with the stores connected. */
export function onStores<O extends CommonOptions>(
  context: Context,
  command: Command,
  work: (job: Job<O>, ...positional: string[]) => Promise<void>,
): void {
  const { env, streams, now } = context;
  command.option('--json', 'print one JSON object per line').action(async () => {
    const options = command.opts<O>();
    const output = createOutput(streams, { json: options.json === true });
    // Loaded lazily, because `send`, --help and usage errors don't need it.
    const { withStack } = await import('./stack.ts');
    await withStack(env, (stack) => {
      const log = { auditLog: async () => (await stack.store()).auditLog, now };
      const job = { stack, output, options, now, audit: createAudit(log), audited: createAudited(log) };
      return work(job, ...command.args);
    });
  });
}
