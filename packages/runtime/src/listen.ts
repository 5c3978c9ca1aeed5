import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListenSettings {
  readonly server: Server;
  readonly port: number;
  readonly host: string;
  /** Named in the error, so that the reader knows what to change. */
  readonly variable: string;
  /** True: this port is not shared with other processes of the same node:cluster. */
  readonly exclusive?: boolean;
}

/** A port that another process holds; the message names port and variable. */
export class PortInUseError extends Error {
  constructor(port: number, variable: string) {
    super(`Port ${port} is already in use. Stop what uses it, or set ${variable} to a free port.`);
    this.name = 'PortInUseError';
  }
}

/** Listens, and resolves to the address with the port that was really taken. */
export function listen({
  server,
  port,
  host,
  variable,
  exclusive = false,
}: ListenSettings): Promise<{ url: string; port: number }> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortInUseError(port, variable) : error);
    server.once('error', onError);
    server.listen({ port, host, exclusive }, () => {
      server.off('error', onError);
      const { port: taken } = server.address() as AddressInfo;
      resolve({ url: `http://${reachable(host)}:${taken}`, port: taken });
    });
  });
}

/** 0.0.0.0 and :: can be listened on but not always be connected to. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
