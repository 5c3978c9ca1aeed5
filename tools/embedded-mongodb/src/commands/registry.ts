import { MAX_DOCUMENT_SIZE } from '../storage/new-document.ts';
import { MAX_MESSAGE_SIZE } from '../wire/message.ts';
import { aggregate } from './aggregate.ts';
import { collMod } from './coll-mod.ts';
import { create, drop, dropDatabase, listCollections } from './collection-commands.ts';
import type { Command } from './command.ts';
import { getMore, killCursors } from './cursor-commands.ts';
import { remove } from './delete.ts';
import { distinct } from './distinct.ts';
import { explain } from './explain.ts';
import { find } from './find.ts';
import { findAndModify } from './find-and-modify.ts';
import { createIndexes, dropIndexes, listIndexes } from './index-commands.ts';
import { insert, MAX_WRITE_BATCH } from './insert.ts';
import { update } from './update.ts';

/** MongoDB 7.0. Current drivers accept 4.2 (8 or 9) and later. */
const WIRE_VERSION = 21;

/**
 * `hello`, also as `isMaster`: a standalone server. It returns no logicalSessionTimeoutMinutes and no set name, so
 * drivers use no sessions, transactions and retryable writes. It returns no topologyVersion, so they poll it.
 */
const hello: Command = {
  run: (request, { now }) => [
    ['helloOk', true],
    [request.name === 'hello' ? 'isWritablePrimary' : 'ismaster', true],
    ['maxBsonObjectSize', MAX_DOCUMENT_SIZE],
    ['maxMessageSizeBytes', MAX_MESSAGE_SIZE],
    ['maxWriteBatchSize', MAX_WRITE_BATCH],
    ['localTime', new Date(now())],
    ['minWireVersion', 0],
    ['maxWireVersion', WIRE_VERSION],
    ['readOnly', false],
  ],
};

const ping: Command = { run: () => [] };

/** There are no sessions, so there is nothing to end. */
const endSessions: Command = { run: () => [] };

/** Every supported command. Any other is 59 CommandNotFound. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    aggregate,
    collMod,
    create,
    createIndexes,
    delete: remove,
    distinct,
    drop,
    dropDatabase,
    dropIndexes,
    endSessions,
    explain,
    find,
    findAndModify,
    getMore,
    hello,
    insert,
    ismaster: hello,
    killCursors,
    listCollections,
    listIndexes,
    ping,
    update,
  }),
);
