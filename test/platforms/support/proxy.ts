import { createServer, request, type Server } from 'node:http';
import { freePort } from '../../support/free-port.ts';

/** An address that passes requests on, or refuses connections. */
export interface Proxy {
  readonly url: string;
  setOpen(open: boolean): Promise<void>;
  close(): Promise<void>;
}

export async function startProxy(target: string): Promise<Proxy> {
  const port = await freePort();
  let server: Server | undefined;
  const proxy: Proxy = {
    url: `http://127.0.0.1:${port}`,
    async setOpen(open) {
      if (open === (server !== undefined)) return;
      if (!open) return proxy.close();
      const opened = createServer((incoming, outgoing) => {
        const { method, headers, url } = incoming;
        const passed = request(new URL(url ?? '/', target), { method, headers }, (response) => {
          outgoing.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(outgoing);
        });
        passed.on('error', () => outgoing.destroy());
        incoming.pipe(passed);
      });
      await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve));
      server = opened;
    },
    async close() {
      const closing = server;
      server = undefined;
      closing?.closeAllConnections();
      await new Promise<void>((resolve) => (closing ? closing.close(() => resolve()) : resolve()));
    },
  };
  return proxy;
}
