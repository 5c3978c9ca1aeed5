import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { msgReply } from '@sluice/embedded-mongodb/wire/reply';
import { mongo } from 'mongoose';
import { pairSockets } from '../../support/pair-sockets.ts';

/** An error of MongoDB. */
export interface Refusal {
  readonly code: number;
  readonly codeName: string;
  readonly errmsg: string;
}

/** A proxy in front of MongoDB that may refuse all writes and let everything else through. */
export interface RefusingWrites {
  readonly url: string;
  /** undefined: it lets writes through again. */
  refuse(refusal: Refusal | undefined): void;
  close(): Promise<void>;
}

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite']);
/** The header, the flags, the kind of the first section, the size of its document, and the type of its first field. */
const NAME_AT = 16 + 4 + 1 + 4 + 1;

export async function startRefusingWrites(target: string): Promise<RefusingWrites> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let refusal: Refusal | undefined;
  const server = createServer((client) => {
    const upstream = dial(Number(port), hostname);
    pairSockets(client, upstream, sockets);
    upstream.pipe(client);
    // A driver sends its next command once it has the reply. So a piece begins a command, or continues the last one.
    let left = 0;
    let isRefused = false;
    client.on('data', (piece: Buffer) => {
      if (left === 0) {
        left = piece.readInt32LE(0);
        isRefused = refusal !== undefined && WRITES.has(commandOf(piece));
        if (isRefused)
          client.write(msgReply(piece.readInt32LE(4), mongo.BSON.serialize({ ok: 0, ...refusal })));
      }
      left -= piece.length;
      if (!isRefused) upstream.write(piece);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refuse: (next) => {
      refusal = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function commandOf(message: Buffer): string {
  return message.toString('latin1', NAME_AT, message.indexOf(0, NAME_AT));
}
