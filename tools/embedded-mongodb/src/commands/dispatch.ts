import { decodeExact } from '../bson/decode.ts';
import { encodeDocument, type RawFields } from '../bson/raw-document.ts';
import { type Fields, isDocument } from '../bson/types.ts';
import { asCommandError, CommandError } from '../errors.ts';
import type { Message } from '../wire/message.ts';
import type { CommandDeps, Request } from './command.ts';
import { COMMANDS } from './registry.ts';

export interface DispatchDeps extends CommandDeps {
  /** Resolves when all changes so far are as durable as requested: written, or also flushed to the disk. Rejects on failure. */
  readonly safe: (flushed: boolean) => Promise<void>;
  /** Called for a bug: an error that is not a rejection. */
  readonly onBug: (error: unknown, command: string) => void;
}

/** Fields that any command may have. Without sessions, replicas, old versions of data and time limits most have no effect. */
const GENERIC = [
  '$db',
  'lsid',
  '$clusterTime',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
];

/** Runs the command in a message and returns the encoded reply, which may be a rejection. The promise never rejects. */
export async function dispatch(
  message: Exclude<Message, { kind: 'broken' }>,
  deps: DispatchDeps,
): Promise<Uint8Array> {
  let name = '?';
  try {
    const request = readRequest(message);
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
  const { name, body } = request;
  const { fields } = command;
  const known = (field: string) => field === name || GENERIC.includes(field) || fields?.includes(field);
  const stranger = fields && Object.keys(body).find((field) => !known(field));
  if (stranger !== undefined)
    throw new CommandError('IDLUnknownField', `BSON field '${name}.${stranger}' is an unknown field.`);
  return command.run(request, deps);
}

function readRequest(message: Exclude<Message, { kind: 'broken' }>): Request {
  const body = decodeExact(message.body);
  const name = Object.keys(body)[0] ?? '';
  if (message.kind === 'query') {
    if (!message.namespace.endsWith('.$cmd') || !['ismaster', 'hello'].includes(name)) {
      throw new CommandError(
        'CommandNotFound',
        `Unsupported OP_QUERY command: ${name}. The client driver may require an upgrade.`,
      );
    }
    return {
      name,
      database: message.namespace.slice(0, -'.$cmd'.length),
      body,
      sequences: new Map(),
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
    sequences: message.sequences,
  };
}

/** `w: 'majority'` and `j: true` promise that a write survives the machine, not only the process. */
function wantsFlush({ writeConcern }: Fields): boolean {
  if (!isDocument(writeConcern)) return false;
  const { w, j } = writeConcern;
  return j === true || (w === 'majority' && j !== false);
}

function errorFields({ message, code, codeName, details }: CommandError): RawFields {
  return [['ok', 0], ['errmsg', message], ['code', code], ['codeName', codeName], ...Object.entries(details)];
}
