import type { EventEmitter } from 'node:events';
// The driver has no types for its parts.
// @ts-expect-error
import { Connection } from 'mongodb/lib/cmap/connection.js';
import { mongo } from 'mongoose';

/** As far as it is used here, of the driver's connection. */
interface DriverConnection {
  readonly socket: EventEmitter;
  /** Why it is closed: set before those who listen for that from here. */
  readonly error: Error | null;
  writeCommand(...given: unknown[]): Promise<void>;
}

const MENDED = Symbol.for('sluice.endsWritesToClosedSockets');

/**
 * MongoDB's driver (7.8.0, and 7.9.0 too) gives a socket a command and waits until it is taken, or has an error. A socket
 * that is closed without an error tells neither: one that a timeout has destroyed while a server that froze took nothing,
 * or one whose end came a moment ago. Such a command would never end. Where it is the command by which the driver finds
 * out that a server is back, the server is away for as long as this process runs. From here on it ends with the socket.
 */
export function endWritesToClosedSockets(): void {
  const prototype = Connection.prototype as DriverConnection & { [MENDED]?: true };
  if (prototype[MENDED]) return;
  prototype[MENDED] = true;
  const { writeCommand } = prototype;
  prototype.writeCommand = async function (this: DriverConnection, ...given) {
    const { socket } = this;
    let onClose = (): void => {};
    const closed = new Promise<never>((_, reject) => {
      onClose = () => reject(this.error ?? new mongo.MongoNetworkError('the connection to MongoDB closed'));
    });
    socket.once('close', onClose);
    try {
      await Promise.race([writeCommand.apply(this, given), closed]);
    } finally {
      socket.off('close', onClose);
    }
  };
}
