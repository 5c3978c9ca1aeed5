import { inspect } from 'node:util';
import { UnconfirmedChangeError } from '@sluice/management/unconfirmed-change';
import { printableLines } from '@sluice/runtime/telemetry/printable';
import { CommanderError } from 'commander';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { isRedisAway } from './redis-ready.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `sluice events list | head`: whoever reads has seen enough. The command comes to its end, and to its own exit code.
  if (error.code === 'EPIPE') return;
  console.error(`sluice: cannot write to standard output: ${error.message}`);
  process.exit(EXIT.failed);
});

const program = createProgram({ env: process.env, streams: process, now: Date.now });
try {
  await program.parseAsync();
} catch (error) {
  // Not process.exit: what is still to be written, and connections still closing, are waited for.
  process.exitCode = await exitCodeFor(error);
}

async function exitCodeFor(error: unknown): Promise<number> {
  // Commander has said on stderr what was wrong, or has shown the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage;
  const message = error instanceof Error ? error.message : String(error);
  const refusal = await refusalOf(error, message);
  sayError(`sluice: ${refusal ?? message}`);
  if (refusal !== undefined) return EXIT.failed;
  if (error instanceof CommandFailure) return error.exitCode;
  if (error instanceof UnconfirmedChangeError || isRedisAway(error)) return EXIT.tryAgainLater;
  const { isMongoAway } = await import('@sluice/store/mongo-away');
  if (isMongoAway(error)) return EXIT.tryAgainLater;
  sayError(inspect(error));
  return EXIT.failed;
}

/** Errors quote what servers said. */
function sayError(text: string): void {
  console.error(printableLines(text));
}

/** What a store that will not have us said, and what to do about it. */
async function refusalOf(error: unknown, message: string): Promise<string | undefined> {
  const { refusalIn } = await import('@sluice/runtime/redis/redis-refusal');
  const redis = refusalIn(message);
  if (redis !== undefined) return `Redis refuses: ${message}. ${redis.advice}`;
  const { mongoRefusal } = await import('@sluice/store/mongo-refusal');
  const mongo = mongoRefusal(error);
  return mongo && `MongoDB refuses: ${mongo.said}. ${mongo.advice}`;
}
