import { type RunningServer, type ServerOptions, startServer } from '@sluice/embedded-mongodb/server';
import { MongoClient } from 'mongodb';

export interface TestServer {
  readonly server: RunningServer;
  readonly client: MongoClient;
}

/** A separate embedded server with a connected client. Both are closed after the tests of the file. */
export function useServers(): (options?: ServerOptions) => Promise<TestServer> {
  const opened: TestServer[] = [];
  after(async () => {
    for (const { server, client } of opened) {
      await client.close();
      await server.close();
    }
  });
  return async (options) => {
    const server = await startServer(options);
    const client = await new MongoClient(server.url).connect();
    opened.push({ server, client });
    return { server, client };
  };
}
