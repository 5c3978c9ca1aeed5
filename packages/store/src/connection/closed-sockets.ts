import type { EventEmitter } from 'node:events';
// The driver has no types for its parts.
// @ts-expect-error
import { Connection } from 'mongodb/lib/cmap/connection.js';
import { mongo } from 'mongoose';

/** The members of the driver's connection that are used here. */
interface DriverConnection {
  readonly socket: EventEmitter;
  /** Why it closed. The driver sets it before the `close` listeners added here run. */
  readonly error: Error | null;
  writeCommand(...args: unknown[]): Promise<void>;
}

const PATCHED = Symbol.for('sluice.endsWritesToClosedSockets');

/**
 * Patches MongoDB's driver (7.8.0; 7.9.0 has the same fault), so that a command fails when its socket closes.
 *
 * The driver writes a command to the socket and waits until the write finishes or fails. A socket that closes without
 * an error does neither. It happens if a timeout destroys the socket of a frozen server, or if the server ended the
 * connection a moment earlier. The command would then never settle. If it is the driver's health check, the driver
 * never finds out that the server is back.
 *
 * If the server has ended the connection, the write may fail with the plain error of the socket (EPIPE). The driver recognizes
 * only its own errors of the network: it would not retry, and nobody would see that MongoDB is away.
 */
export function endWritesToClosedSockets(): void {
  const prototype = Connection.prototype as DriverConnection & { [PATCHED]?: true };
  if (prototype[PATCHED]) return;
  prototype[PATCHED] = true;
  const { writeCommand } = prototype;
  prototype.writeCommand = async function (this: DriverConnection, ...args) {
    const { socket } = this;
    let onClose = (): void => {};
    const closed = new Promise<never>((_, reject) => {
      onClose = () => reject(this.error ?? new mongo.MongoNetworkError('the connection to MongoDB closed'));
    });
    socket.once('close', onClose);
    try {
      await Promise.race([writeCommand.apply(this, args), closed]);
    } catch (error) {
      throw ofTheNetwork(error);
    } finally {
      socket.off('close', onClose);
    }
  };
}

/** The codes of errors of sockets, such as EPIPE. */
const SOCKET_CODES = /^(?:E[A-Z]+|ERR_STREAM_[A-Z_]+)$/;

function ofTheNetwork(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof mongo.MongoError) return error;
  const { code } = error as NodeJS.ErrnoException;
  return SOCKET_CODES.test(code ?? '') ? new mongo.MongoNetworkError(error.message, { cause: error }) : error;
}
