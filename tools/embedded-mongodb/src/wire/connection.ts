import type { Socket } from 'node:net';
import { MAX_MESSAGE_SIZE, type Message } from './message.ts';
import { createMessageBuffer } from './message-buffer.ts';
import { msgReply, queryReply } from './reply.ts';

/** Runs one command and returns an encoded document. Must not throw. */
export type Answer = (message: Exclude<Message, { kind: 'broken' }>) => Promise<Uint8Array>;

export interface ConnectionDeps {
  readonly socket: Socket;
  readonly answer: Answer;
  /** Called with the reason when this side closes a connection. */
  readonly onRefused: (reason: string) => void;
}

/**
 * Serves one client. It handles messages one by one in their order. Invalid bytes close this connection and no other.
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
    if (incoming.size > MAX_MESSAGE_SIZE) socket.pause(); // a complete message has arrived: continue reading after the reply
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

/** Resolves when the client has read the written bytes, or is gone. */
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
