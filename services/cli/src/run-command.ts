import { inspect } from 'node:util';
import { printableLines } from '@sluice/runtime/telemetry/printable';
import { CommanderError } from 'commander';
import type { Context } from './context.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { passingError } from './passing-error.ts';
import { createProgram } from './program.ts';

/** Runs one command, without the name of the program in `args`. Resolves to its exit code. Never rejects. */
export async function runCommand(
  args: readonly string[],
  context: Omit<Context, 'exitWith'>,
): Promise<number> {
  let exitCode: number = EXIT.done;
  const program = createProgram({
    ...context,
    exitWith(code) {
      exitCode = code;
    },
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Escapes control characters, because errors quote server messages.
    return exitCodeFor(error, (text) => void context.streams.stderr.write(`${printableLines(text)}\n`));
  }
}

async function exitCodeFor(error: unknown, printError: (text: string) => void): Promise<number> {
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

/** The message and advice if a store refused the connection; else undefined. */
async function refusalOf(error: unknown, message: string): Promise<string | undefined> {
  const { refusalIn } = await import('@sluice/redis/connection/redis-refusal');
  const redis = refusalIn(message);
  if (redis !== undefined) return `Redis refused the command: ${message}. ${redis.advice}`;
  const { mongoRefusal } = await import('@sluice/store/connection/mongo-refusal');
  const mongo = mongoRefusal(error);
  return mongo && `MongoDB refused the command: ${mongo.said}. ${mongo.advice}`;
}
