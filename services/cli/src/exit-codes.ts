/** What the exit code of every command says (design section 7). */
export const EXIT = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  /** EX_TEMPFAIL of sysexits.h. */
  tryAgainLater: 75,
} as const;

/** Ends a command with a message for the person at the keyboard; not a bug, so it is shown without a stack. */
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
