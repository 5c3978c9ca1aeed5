import type { Socket } from 'node:net';
import { MAX_MESSAGE_SIZE, type Message } from './message.ts';
import { createMessageBuffer } from './message-buffer.ts';
import { msgReply, queryReply } from './reply.ts';

/** Answers one command with an encoded document. Must not throw. */
export type Answer = (message: Exclude<Message, { kind: 'broken' }>) => Promise<Uint8Array>;

export interface ConnectionDeps {
  readonly socket: Socket;
  readonly answer: Answer;
  /** Told why a connection was closed by this side. */
  readonly onRefused: (reason: string) => void;
}

/**
 * Serves one client: messages are answered one after the other, in the order they came. Bytes that are no message
 * close this connection and no other.
 */
export function serveConnection({ socket, answer, onRefused }: ConnectionDeps): void {
  const incoming = createMessageBuffer();
  let busy = false;

  function refuse(reason: string): void {
    onRefused(reason);
    socket.destroy();
  }

  async function serve(): Promise<void> {
    for (let message = incoming.next(); message && !socket.destroyed; message = incoming.next()) {
      if (message.kind === 'broken') return refuse(message.reason);
      const document = await answer(message);
      if (message.kind === 'query') socket.write(queryReply(message.requestId, document));
      else if (!message.moreToCome && !socket.write(msgReply(message.requestId, document)))
        await drained(socket);
    }
  }

  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    incoming.push(chunk);
    if (incoming.size > MAX_MESSAGE_SIZE) socket.pause(); // a whole message is here: read on once it is answered
    if (busy) return;
    busy = true;
    serve()
      .catch((error: unknown) => refuse(String(error)))
      .finally(() => {
        busy = false;
        if (!socket.destroyed) socket.resume();
      });
  });
}

/** Resolves when the client has taken what was written, or is gone. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    const done = (): void => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
}
