/** The error codes of this server, with MongoDB's numbers and names (src/mongo/base/error_codes.yml). */
const CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  Overflow: 15,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  DollarPrefixedFieldName: 52,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CannotIndexParallelArrays: 171,
  NotImplemented: 238,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  OutOfDiskSpace: 14031,
  Location40324: 40324,
  IDLUnknownField: 40415,
} as const;

export type CodeName = keyof typeof CODES;

/** Why a command, or one statement of a write command, was rejected, as the client sees it. */
export class CommandError extends Error {
  readonly code: number;
  readonly codeName: CodeName;
  /** Further fields of the reply, such as `keyPattern` and `keyValue`. */
  readonly details: Record<string, unknown>;

  constructor(codeName: CodeName, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = 'CommandError';
    this.code = CODES[codeName];
    this.codeName = codeName;
    this.details = details;
  }
}

/** A feature of MongoDB that this server lacks. It is rejected by name, never handled wrongly. */
export function notSupported(what: string): CommandError {
  return new CommandError('NotImplemented', `${what} is not supported by the embedded development store`);
}

/**
 * Converts any thrown value to the rejection for the client. A stack overflow comes from a document nested too deep.
 * Any other foreign error is a bug and is reported as one.
 */
export function asCommandError(thrown: unknown): CommandError {
  if (thrown instanceof CommandError) return thrown;
  if (thrown instanceof RangeError && /call stack/i.test(thrown.message)) {
    return new CommandError('Overflow', 'the document is nested too deep');
  }
  if (thrown instanceof Error && (thrown.name === 'BSONError' || thrown.name === 'BSONOffsetError')) {
    return new CommandError('FailedToParse', thrown.message);
  }
  return new CommandError('InternalError', thrown instanceof Error ? thrown.message : String(thrown));
}
