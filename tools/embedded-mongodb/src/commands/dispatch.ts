import { decodeExact } from '../bson/decode.ts';
import { encodeDocument, type RawFields } from '../bson/raw-document.ts';
import { type Fields, isDocument, smallNumberOf } from '../bson/types.ts';
import { asCommandError, CommandError, notSupported } from '../errors.ts';
import { createTimeLimit, NO_LIMIT } from '../query/time-limit.ts';
import type { Message } from '../wire/message.ts';
import { type CommandDeps, countField, type Request } from './command.ts';
import { COMMANDS } from './registry.ts';

export interface DispatchDeps extends CommandDeps {
  /** Resolves when all changes so far are as durable as requested: written, or also flushed to the disk. Rejects on failure. */
  readonly safe: (flushed: boolean) => Promise<void>;
  /** Called for a bug: an error that is not a rejection. */
  readonly onBug: (error: unknown, command: string) => void;
}

/** Fields that any command may have and that have no effect here: one server, one copy, no sessions. */
const GENERIC = new Set([
  '$db',
  'lsid',
  '$clusterTime',
  '$readPreference',
  'readPreference',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'comment',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  'maxTimeMSOpOnly',
  'mayBypassWriteBlocking',
  'let',
  'collation',
  'hint',
]);
/** Commands with arbitrary fields of their client. */
const OPEN = new Set([
  'endSessions',
  'ping',
  'buildInfo',
  'buildinfo',
  'hello',
  'isMaster',
  'ismaster',
  'serverStatus',
]);

/** Runs the command in a message and returns the encoded reply, which may be a rejection. The promise never rejects. */
export async function dispatch(
  message: Exclude<Message, { kind: 'broken' }>,
  deps: DispatchDeps,
): Promise<Uint8Array> {
  let name = '?';
  try {
    const request = readRequest(message, deps.now);
    name = request.name;
    const flush = wantsFlush(request.body);
    const answer = run(request, deps);
    await deps.safe(flush);
    return encodeDocument([...answer, ['ok', 1]]);
  } catch (thrown) {
    const error = asCommandError(thrown);
    if (error.codeName === 'InternalError') deps.onBug(thrown, name);
    return encodeDocument(errorFields(error));
  }
}

function run(request: Request, deps: CommandDeps): RawFields {
  const command = COMMANDS.get(request.name);
  if (!command) throw new CommandError('CommandNotFound', `no such command: '${request.name}'`);
  const known = (field: string): boolean =>
    field === request.name || GENERIC.has(field) || command.fields.includes(field);
  const stranger = OPEN.has(request.name)
    ? undefined
    : Object.keys(request.body).find((field) => !known(field));
  if (stranger === 'txnNumber' || stranger === 'startTransaction' || stranger === 'autocommit') {
    throw new CommandError(
      'IllegalOperation',
      'Transaction numbers are only allowed on a replica set member or mongos',
    );
  }
  if (stranger)
    throw new CommandError(
      'IDLUnknownField',
      `BSON field '${request.name}.${stranger}' is an unknown field.`,
    );
  refuseOptions(request.body);
  return command.run(request, deps);
}

/** Options that would change the reply if they were supported. */
function refuseOptions({ collation, hint, let: variables }: Fields): void {
  if (isDocument(collation) && collation.locale !== 'simple') throw notSupported('the option collation');
  if (hint !== undefined) throw notSupported('the option hint');
  if (isDocument(variables) && Object.keys(variables).length > 0) throw notSupported('the option let');
}

function readRequest(message: Exclude<Message, { kind: 'broken' }>, now: () => number): Request {
  const body = decodeExact(message.body);
  const name = Object.keys(body)[0] ?? '';
  if (message.kind === 'query') {
    if (!message.namespace.endsWith('.$cmd') || !['ismaster', 'isMaster', 'hello'].includes(name)) {
      throw new CommandError(
        'CommandNotFound',
        `Unsupported OP_QUERY command: ${name}. The client driver may require an upgrade.`,
      );
    }
    return {
      name,
      database: message.namespace.slice(0, -'.$cmd'.length),
      body,
      bytes: message.body,
      sequences: new Map(),
      time: NO_LIMIT,
    };
  }
  if (typeof body.$db !== 'string' || body.$db === '')
    throw new CommandError('IDLUnknownField', 'OP_MSG requests require a $db argument');
  const twice = [...message.sequences.keys()].find((field) => field in body);
  if (twice)
    throw new CommandError(
      'FailedToParse',
      `the field '${twice}' comes in the body and as a document sequence`,
    );
  return {
    name,
    database: body.$db,
    body,
    bytes: message.body,
    sequences: message.sequences,
    time: createTimeLimit(countField(body, 'maxTimeMS'), now),
  };
}

/** `w: 'majority'` and `j: true` promise that a write survives the machine, not only the process. */
function wantsFlush({ writeConcern }: Fields): boolean {
  if (!isDocument(writeConcern)) return false;
  const { w, j } = writeConcern;
  if (typeof w === 'number' || smallNumberOf(w) !== undefined) {
    if ((smallNumberOf(w) ?? 0) > 1)
      throw new CommandError('BadValue', `cannot use 'w' > 1 when a host is not replicated`);
  }
  return j === true || (w === 'majority' && j !== false);
}

function errorFields({ message, code, codeName, details }: CommandError): RawFields {
  return [['ok', 0], ['errmsg', message], ['code', code], ['codeName', codeName], ...Object.entries(details)];
}
