/** Exit codes of all commands (docs/command-line.md). */
export const EXIT = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  /** EX_TEMPFAIL of sysexits.h. */
  tryAgainLater: 75,
} as const;

/** Ends a command with a message for the user. It isn't a bug, so no stack is printed. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export const failed = (message: string) => new CommandFailure(EXIT.failed, message);
export const wrongUsage = (message: string) => new CommandFailure(EXIT.wrongUsage, message);
export const tryAgainLater = (message: string, cause?: unknown) =>
  new CommandFailure(EXIT.tryAgainLater, message, { cause });
