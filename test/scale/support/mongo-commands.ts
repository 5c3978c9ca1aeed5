import { createMessageBuffer } from '@sluice/embedded-mongodb/wire/message-buffer';
import { mongo } from 'mongoose';
import { carryAll, startTcpProxy, urlOf } from '../../support/tcp-proxy.ts';

/** A command as sent. Its name is its first key; the value of that key is the collection. */
export interface SentCommand {
  readonly name: string;
  readonly collection: string;
  /** Includes its document sequences (`documents`, `updates`, `deletes`). */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A proxy in front of MongoDB that records every command. */
export interface CommandListener {
  readonly url: string;
  readonly commands: readonly SentCommand[];
  close(): Promise<void>;
}

/** Starts it in front of the MongoDB of this URL. */
export async function listenToCommands(target: string): Promise<CommandListener> {
  const commands: SentCommand[] = [];
  const proxy = await startTcpProxy({
    target: () => new URL(target),
    carry(client, upstream) {
      const sent = createMessageBuffer();
      client.on('data', (chunk: Buffer) => {
        sent.push(Buffer.from(chunk));
        for (let message = sent.next(); message !== null; message = sent.next()) {
          if (message.kind === 'broken') throw new Error(message.reason);
          if (message.kind === 'msg') commands.push(readCommand(message.body, message.sequences));
        }
      });
      carryAll(client, upstream);
    },
  });
  return { url: urlOf(proxy, target), commands, close: proxy.close };
}

function readCommand(bytes: Buffer, sequences: ReadonlyMap<string, readonly Buffer[]>): SentCommand {
  const body: Record<string, unknown> = mongo.BSON.deserialize(bytes);
  for (const [name, documents] of sequences) body[name] = documents.map((one) => mongo.BSON.deserialize(one));
  const [name, collection] = Object.entries(body)[0] as [string, unknown];
  return { name, collection: String(collection), body };
}
