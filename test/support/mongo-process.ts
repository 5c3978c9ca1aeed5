import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { type KillableServer, startKillable } from './killable-server.ts';

/** The embedded store as a separate process. Its journal is in `dir`. */
export interface MongoProcess extends KillableServer {
  readonly url: string;
}

const MAIN = fileURLToPath(new URL('../../tools/embedded-mongodb/dist/main.js', import.meta.url));

/** With `from` it starts with a copy of that folder, such as a backup of another store's `dir`. */
export async function startMongo({ from }: { readonly from?: string } = {}): Promise<MongoProcess> {
  const port = await freePort();
  const server = await startKillable({
    name: 'mongodb',
    from,
    command: process.execPath,
    args: (dir) => [MAIN, '--port', String(port), '--data-dir', dir],
    ready: ({ stdout }) => once(createInterface({ input: stdout as NodeJS.ReadableStream }), 'line'),
  });
  return Object.assign(server, { url: `mongodb://127.0.0.1:${port}` });
}
