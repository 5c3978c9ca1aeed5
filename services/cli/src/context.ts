import type { Command } from 'commander';
import { type Audit, createAudit } from './audit.ts';
import { createOutput, type Output, type OutputStreams } from './output.ts';
import type { Stack } from './stack.ts';

/** What every command is given; the tests of one command can give it something else. */
export interface Context {
  readonly env: NodeJS.ProcessEnv;
  readonly streams: OutputStreams;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export interface Job<O> {
  readonly stack: Stack;
  readonly output: Output;
  readonly options: O;
  readonly now: () => number;
  readonly audit: Audit;
}

/** The options that every command has. */
export interface CommonOptions {
  readonly json?: true;
}

/** Adds --json to a command that works on the stores, and runs it with those connected. */
export function onStores<O extends CommonOptions>(
  context: Context,
  command: Command,
  work: (job: Job<O>, ...positional: string[]) => Promise<void>,
): void {
  const { env, streams, now } = context;
  command.option('--json', 'one JSON object a line').action(async () => {
    const options = command.opts<O>();
    const output = createOutput(streams, { json: options.json === true });
    // Loaded only now: `send`, --help and a mistyped option need nothing of it.
    const { withStack } = await import('./stack.ts');
    await withStack(env, (stack) => {
      const audit = createAudit({ auditLog: async () => (await stack.store()).auditLog, now });
      return work({ stack, output, options, now, audit }, ...command.args);
    });
  });
}
