import type { Scope } from '@sluice/contract/account/scopes';
import { startApi, type TestApi } from '../../support/api.ts';
import { addKey } from '../../support/api-processes.ts';
import { serve } from '../../support/serve.ts';
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
  const server = await serve(api.app);
  const front = await startFront(server.port);
  return {
    api,
    url: server.url,
    front,
    addKey: (accountId, scopes = LEAD_SCOPES) => addKey(api, accountId, scopes),
    async close() {
      await front.close();
      await server.close();
      await api.close();
    },
  };
}
