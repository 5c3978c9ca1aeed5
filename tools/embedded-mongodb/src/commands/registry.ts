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
import { insert } from './insert.ts';
import { endSessions, hello, ping } from './server-commands.ts';
import { update } from './update.ts';

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
