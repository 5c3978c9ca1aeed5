/** A failed attempt to send a mail. */
export interface SmtpFailure {
  /** A retry may succeed. */
  readonly isTemporary: boolean;
  /** For the log: never the message, which may contain the address or the server's greeting. */
  readonly fields: {
    readonly code: unknown;
    readonly response_code: unknown;
    readonly command: unknown;
  };
}

/** nodemailer's codes of a server that did not respond. Its other codes name a wrong setting or an unusable address. */
const NO_RESPONSE: readonly unknown[] = ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS'];

/** Reads an error of nodemailer. Without a response code of the server, only a lost connection is temporary. */
export function readSmtpFailure(error: unknown): SmtpFailure {
  const { code, responseCode, command, permanent } = error as Record<string, unknown>;
  return {
    isTemporary: responseCode === undefined ? NO_RESPONSE.includes(code) : permanent === false,
    fields: { code, response_code: responseCode, command },
  };
}
