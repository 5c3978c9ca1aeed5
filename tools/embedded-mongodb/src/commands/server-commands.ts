import { MAX_DOCUMENT_SIZE } from '../storage/new-document.ts';
import { MAX_MESSAGE_SIZE } from '../wire/message.ts';
import type { Command } from './command.ts';
import { MAX_WRITE_BATCH } from './insert.ts';

const VERSION = '7.0.0';
/** MongoDB 7.0. Current drivers accept 4.2 (8 or 9) and later. */
const WIRE_VERSION = 21;

/**
 * `hello`, also as `isMaster`: a standalone server. It returns no logicalSessionTimeoutMinutes and no set name, so
 * drivers use no sessions, transactions and retryable writes. It returns no topologyVersion, so they poll it.
 */
export const hello: Command = {
  fields: [
    'helloOk',
    'client',
    'compression',
    'topologyVersion',
    'maxAwaitTimeMS',
    'speculativeAuthenticate',
    'loadBalanced',
    'saslSupportedMechs',
    'hostInfo',
    'backpressure',
  ],
  run: (request, { now }) => [
    ['helloOk', true],
    [request.name === 'hello' ? 'isWritablePrimary' : 'ismaster', true],
    ['maxBsonObjectSize', MAX_DOCUMENT_SIZE],
    ['maxMessageSizeBytes', MAX_MESSAGE_SIZE],
    ['maxWriteBatchSize', MAX_WRITE_BATCH],
    ['localTime', new Date(now())],
    ['connectionId', 1],
    ['minWireVersion', 0],
    ['maxWireVersion', WIRE_VERSION],
    ['readOnly', false],
  ],
};

export const ping: Command = { fields: [], run: () => [] };

export const buildInfo: Command = {
  fields: [],
  run: () => [
    ['version', VERSION],
    ['gitVersion', 'embedded-mongodb'],
    ['modules', []],
    ['versionArray', VERSION.split('.').map(Number).concat(0)],
    ['bits', 64],
    ['debug', false],
    ['maxBsonObjectSize', MAX_DOCUMENT_SIZE],
    ['storageEngines', ['embedded']],
  ],
};

/** There are no sessions, so there is nothing to end. */
export const endSessions: Command = { fields: [], run: () => [] };

export const connectionStatus: Command = {
  fields: ['showPrivileges'],
  run: () => [['authInfo', { authenticatedUsers: [], authenticatedUserRoles: [] }]],
};

export const serverStatus: Command = {
  fields: ['repl', 'metrics', 'locks', 'network', 'opcounters'],
  run: (_request, { catalog, now }) => [
    ['host', '127.0.0.1'],
    ['version', VERSION],
    ['process', 'embedded-mongodb'],
    ['pid', process.pid],
    ['uptime', Math.floor(process.uptime())],
    ['localTime', new Date(now())],
    ['mem', { resident: Math.round(process.memoryUsage().rss / 1048576) }],
    ['catalogStats', { collections: catalog.collections.size }],
  ],
};
