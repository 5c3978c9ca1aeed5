import type { AddressInfo, Server } from 'node:net';

/** Listens on a free loopback port and sends its number to the parent process. */
export function listenAndTell(server: Server): void {
  server.listen(0, '127.0.0.1', () =>
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
  );
  process.on('disconnect', () => process.exit());
}
