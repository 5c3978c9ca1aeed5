import type { Socket } from 'node:net';
import { OP_MSG } from '@sluice/embedded-mongodb/wire/message';
import { msgReply } from '@sluice/embedded-mongodb/wire/reply';
import { mongo } from 'mongoose';
import { startTcpProxy } from './tcp-proxy.ts';

/** An error of MongoDB. */
export interface Refusal {
  readonly code: number;
  readonly codeName: string;
  readonly errmsg: string;
}

/** A proxy in front of MongoDB that may refuse some commands and let everything else through. */
export interface RefusingMongo {
  readonly url: string;
  /** undefined: it lets everything through again. */
  refuse(refusal: Refusal | undefined): void;
  /** How many commands it has refused so far. */
  refused(): number;
  close(): Promise<void>;
}

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite']);
/** The header, the flags, the kind of the first section, the size of its document, and the type of its first field. */
const NAME_AT = 16 + 4 + 1 + 4 + 1;

/** `wanted`: the commands that it refuses. Default: all writes. */
export async function startRefusingMongo(
  target: string,
  wanted = (command: string) => WRITES.has(command),
): Promise<RefusingMongo> {
  let refusal: Refusal | undefined;
  let refused = 0;
  const carry = (client: Socket, upstream: Socket) => {
    upstream.pipe(client);
    // A driver sends its next command once it has the reply. So a piece begins a command, or continues the last one.
    let left = 0;
    let isRefused = false;
    client.on('data', (piece: Buffer) => {
      if (left === 0) {
        left = piece.readInt32LE(0);
        const isCommand = piece.readInt32LE(12) === OP_MSG;
        isRefused = refusal !== undefined && isCommand && wanted(commandOf(piece));
        if (isRefused) {
          refused += 1;
          client.write(msgReply(piece.readInt32LE(4), mongo.BSON.serialize({ ok: 0, ...refusal })));
        }
      }
      left -= piece.length;
      if (!isRefused) upstream.write(piece);
    });
  };
  const { host, close } = await startTcpProxy({ target: () => new URL(target), carry });
  return {
    url: `mongodb://${host}`,
    refused: () => refused,
    refuse: (next) => {
      refusal = next;
    },
    close,
  };
}

function commandOf(message: Buffer): string {
  return message.toString('latin1', NAME_AT, message.indexOf(0, NAME_AT));
}
