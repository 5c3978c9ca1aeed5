import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { serveConnection } from '@sluice/embedded-mongodb/wire/connection';
import { mongo } from 'mongoose';

const { BSON } = mongo;

export interface RefusingMongo {
  /** The URL, with a user in it. */
  readonly url: string;
  readonly password: string;
  /** The number of commands that it has rejected so far. */
  asked(): number;
  close(): Promise<void>;
}

/** The errors, with MongoDB's own texts and codes. */
const REFUSALS = {
  user: { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' },
  permission: {
    ok: 0,
    code: 13,
    codeName: 'Unauthorized',
    errmsg: 'not authorized on sluice to execute command',
  },
} as const;

const HELLO = {
  helloOk: true,
  isWritablePrimary: true,
  ismaster: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 21,
  ok: 1,
};

/** A MongoDB that does not know the user, or that allows an unauthenticated user no command. */
export async function startRefusingMongo(refuses: keyof typeof REFUSALS): Promise<RefusingMongo> {
  const sockets = new Set<Socket>();
  let asked = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    serveConnection({ socket, answer, onRefused: () => undefined });
  });
  async function answer({ body }: { readonly body: Uint8Array }): Promise<Uint8Array> {
    const [name = ''] = Object.keys(BSON.deserialize(body));
    if (/^(hello|ismaster)$/i.test(name)) return BSON.serialize(HELLO);
    const harmless = ['ping', 'buildInfo', 'endSessions'].includes(name);
    if (!harmless) asked += 1;
    return BSON.serialize(harmless ? { ok: 1 } : REFUSALS[refuses]);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const password = 'hunter2';
  return {
    url: `mongodb://${refuses === 'user' ? `sluice:${password}@` : ''}127.0.0.1:${port}`,
    password,
    asked: () => asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
