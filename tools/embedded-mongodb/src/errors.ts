/** The codes this server answers with; numbers and names are MongoDB's (src/mongo/base/error_codes.yml). */
const CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  Overflow: 15,
  IllegalOperation: 20,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  InvalidPipelineOperator: 168,
  CannotIndexParallelArrays: 171,
  NotImplemented: 238,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  OutOfDiskSpace: 14031,
  Location40323: 40323,
  Location40324: 40324,
  IDLUnknownField: 40415,
} as const;

export type CodeName = keyof typeof CODES;

/** Why a command, or one statement of a write command, was refused: what the client gets to see. */
export class CommandError extends Error {
  readonly code: number;
  readonly codeName: CodeName;
  /** Further fields of the answer, such as `keyPattern` and `keyValue`. */
  readonly details: Record<string, unknown>;

  constructor(codeName: CodeName, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = 'CommandError';
    this.code = CODES[codeName];
    this.codeName = codeName;
    this.details = details;
  }
}

/** Something MongoDB can do and this server does not: refused by its name, never answered wrongly. */
export function notSupported(what: string): CommandError {
  return new CommandError('NotImplemented', `${what} is not supported by the embedded development store`);
}

/**
 * Any thrown value as the refusal that the client gets. A stack overflow comes from a document nested too deep;
 * everything else that is no refusal of ours is a bug and is reported as such.
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
