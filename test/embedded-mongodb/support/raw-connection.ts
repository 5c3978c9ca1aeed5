import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Document, deserialize, serialize } from 'bson';

export const OP_MSG = 2013;

/** An OP_MSG with one document in its body. */
export function msg(document: Document, requestId = 1, flags = 0): Buffer {
  const body = serialize(document);
  const head = Buffer.alloc(21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(requestId, 4);
  head.writeInt32LE(OP_MSG, 12);
  head.writeUInt32LE(flags, 16);
  return Buffer.concat([head, body]);
}

/** A message with any op code and content. */
export function message(opCode: number, content: Uint8Array): Buffer {
  const head = Buffer.alloc(16);
  head.writeInt32LE(16 + content.length, 0);
  head.writeInt32LE(7, 4);
  head.writeInt32LE(opCode, 12);
  return Buffer.concat([head, content]);
}

/** Connects without a driver, to send bytes that no driver sends. */
export async function connectRaw(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {}); // a reset also closes the connection
  await once(socket, 'connect');
  return socket;
}

/** Resolves when the server has closed the connection. */
export async function closed(socket: Socket): Promise<void> {
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
}

/** Reads the next whole reply: OP_MSG or OP_REPLY. */
export async function reply(
  socket: Socket,
): Promise<{ responseTo: number; opCode: number; document: Document }> {
  let bytes = Buffer.alloc(0);
  while (bytes.length < 16 || bytes.length < bytes.readInt32LE(0)) {
    const chunk = socket.read() as Buffer | null;
    if (chunk) bytes = Buffer.concat([bytes, chunk]);
    else if (socket.closed || socket.readableEnded) throw new Error('the connection was closed');
    else await readableOrClosed(socket);
  }
  const opCode = bytes.readInt32LE(12);
  const start = opCode === OP_MSG ? 21 : 36;
  return {
    responseTo: bytes.readInt32LE(8),
    opCode,
    document: deserialize(bytes.subarray(start, bytes.readInt32LE(0))),
  };
}

function readableOrClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('readable', done).off('close', done);
      resolve();
    };
    socket.on('readable', done).on('close', done);
  });
}
