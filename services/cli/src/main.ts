import { inspect } from 'node:util';
import { printableLines } from '@sluice/runtime/telemetry/printable';
import { CommanderError } from 'commander';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { passingError } from './passing-error.ts';
import { createProgram } from './program.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `sluice events list | head` closes the pipe early. The command continues and keeps its exit code.
  if (error.code === 'EPIPE') return;
  console.error(`sluice: Can't write to standard output: ${error.message}`);
  process.exit(EXIT.failed);
});

const program = createProgram({ env: process.env, streams: process, now: Date.now });
try {
  await program.parseAsync();
} catch (error) {
  // Not process.exit, which would lose pending output and closing connections.
  process.exitCode = await exitCodeFor(error);
}

async function exitCodeFor(error: unknown): Promise<number> {
  // Commander has already printed the error or the requested help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage;
  const message = error instanceof Error ? error.message : String(error);
  const refusal = await refusalOf(error, message);
  const passing = refusal === undefined ? await passingError(error) : undefined;
  printError(`sluice: ${refusal ?? passing ?? message}`);
  if (refusal !== undefined) return EXIT.failed;
  if (error instanceof CommandFailure) return error.exitCode;
  if (passing !== undefined) return EXIT.tryAgainLater;
  printError(inspect(error));
  return EXIT.failed;
}

/** Escapes control characters, because errors quote server messages. */
function printError(text: string): void {
  console.error(printableLines(text));
}

/** The message and advice if a store refused the connection; else undefined. */
async function refusalOf(error: unknown, message: string): Promise<string | undefined> {
  const { refusalIn } = await import('@sluice/redis/connection/redis-refusal');
  const redis = refusalIn(message);
  if (redis !== undefined) return `Redis refused the command: ${message}. ${redis.advice}`;
  const { mongoRefusal } = await import('@sluice/store/connection/mongo-refusal');
  const mongo = mongoRefusal(error);
  return mongo && `MongoDB refused the command: ${mongo.said}. ${mongo.advice}`;
}
