import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListenSettings {
  readonly server: Server;
  readonly port: number;
  readonly host: string;
  /** The error names it, so that the reader knows what to change. */
  readonly variable: string;
  /** True: this port is not shared with other processes of the same node:cluster. */
  readonly exclusive?: boolean;
}

/** The port cannot be used. The message names the variable to change. */
export class PortRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PortRefusedError';
  }
}

/** Explains how to fix port or host. Returns an unknown error unchanged. */
export function whyNotListening(
  error: NodeJS.ErrnoException,
  { port, host, variable }: Pick<ListenSettings, 'port' | 'host' | 'variable'>,
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new PortRefusedError(
        `Port ${port} is already in use. Stop what uses it, or set ${variable} to a free port.`,
      );
    case 'EACCES':
      return new PortRefusedError(
        `Port ${port} may not be listened on by this user. Set ${variable} to one from 1024 on.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new PortRefusedError(
        `This machine has no address ${host} to listen on. Set HOST to one that it has, or to 0.0.0.0 for all.`,
      );
    default:
      return error;
  }
}

/** Listens, and resolves to the actual address and port. */
export function listen({
  server,
  port,
  host,
  variable,
  exclusive = false,
}: ListenSettings): Promise<{ url: string; port: number }> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) =>
      reject(whyNotListening(error, { port, host, variable }));
    server.once('error', onError);
    server.listen({ port, host, exclusive }, () => {
      server.off('error', onError);
      const { port: taken } = server.address() as AddressInfo;
      resolve({ url: `http://${reachable(host)}:${taken}`, port: taken });
    });
  });
}

/** 0.0.0.0 and :: are addresses to listen on. Not every client can connect to them. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
