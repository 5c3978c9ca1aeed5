import { MAX_DOCUMENT_SIZE } from '../storage/new-document.ts';
import { MAX_MESSAGE_SIZE } from '../wire/message.ts';
import type { Command } from './command.ts';
import { MAX_WRITE_BATCH } from './insert.ts';

/** MongoDB 7.0. Current drivers accept 4.2 (8 or 9) and later. */
const WIRE_VERSION = 21;

/**
 * `hello`, also as `isMaster`: a standalone server. It returns no logicalSessionTimeoutMinutes and no set name, so
 * drivers use no sessions, transactions and retryable writes. It returns no topologyVersion, so they poll it.
 */
export const hello: Command = {
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

export const ping: Command = { run: () => [] };

/** There are no sessions, so there is nothing to end. */
export const endSessions: Command = { run: () => [] };
