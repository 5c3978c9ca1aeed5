import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createKey } from '@sluice/accounts/keys/create-key';
import type { Scope } from '@sluice/contract/account/scopes';
import { startApi, type TestApi } from '../../support/api.ts';
import { type Front, startFront } from './front.ts';

/** A real API that listens, with a front before it. */
export interface ServedApi {
  readonly api: TestApi;
  readonly url: string;
  readonly front: Front;
  addKey(accountId: string, scopes?: readonly Scope[]): Promise<string>;
  close(): Promise<void>;
}

export const LEAD_SCOPES = ['read:leads', 'write:leads', 'webhooks'] as const;

export async function serveApi(): Promise<ServedApi> {
  const api = await startApi();
  const server = api.app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const front = await startFront(port);
  return {
    api,
    url: `http://127.0.0.1:${port}`,
    front,
    async addKey(accountId, scopes = LEAD_SCOPES) {
      const made = await createKey(api.deps, {
        accountId,
        name: 'SDK',
        scopes: [...scopes],
        expiresAt: null,
      });
      if (made.status !== 'created') throw new Error(made.status);
      return made.key;
    },
    async close() {
      await front.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await api.close();
    },
  };
}
