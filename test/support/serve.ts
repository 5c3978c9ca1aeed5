import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server of a test. */
export interface Served {
  readonly url: string;
  readonly port: number;
  /** How many requests have arrived. */
  requests(): number;
  close(): Promise<void>;
}

/** Serves on a free port of this machine. It does not keep the process running. */
export async function serve(listener: RequestListener, address = '127.0.0.1'): Promise<Served> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  });
  server.unref();
  await once(server.listen(0, address), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}`,
    port,
    requests: () => requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
