import type { Scope } from '@sluice/contract/scopes';
import { type OutboundPipeline, startOutboundPipeline } from '../../dispatcher/support/outbound-pipeline.ts';
import { type ApiProcesses, addKey, startApis } from '../../support/api-processes.ts';

/** The whole service as an integration sees it: real processes, one account. */
export interface Installation {
  readonly pipeline: OutboundPipeline;
  readonly apiUrl: string;
  readonly source: Awaited<ReturnType<OutboundPipeline['addSource']>>;
  readonly accountId: string;
  addKey(scopes?: readonly Scope[]): Promise<string>;
  /** A request of the public API. Fails with the body if the status is not 2xx. */
  call<T = unknown>(key: string, method: string, path: string, body?: object): Promise<T>;
  stop(): Promise<void>;
}

export async function startInstallation(): Promise<Installation> {
  const pipeline = await startOutboundPipeline();
  let apis: ApiProcesses | undefined;
  try {
    apis = await startApis(pipeline, 1);
    const source = await pipeline.addSource();
    const apiUrl = apis.urls[0] as string;
    return {
      pipeline,
      apiUrl,
      source,
      accountId: source.accountId,
      addKey: (scopes) => addKey(pipeline, source.accountId, scopes),
      async call<T>(key: string, method: string, path: string, body?: object): Promise<T> {
        const response = await fetch(`${apiUrl}/api/public${path}`, {
          method,
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
        return (text === '' ? null : JSON.parse(text)) as T;
      },
      async stop() {
        await apis?.stop();
        await pipeline.stop();
      },
    };
  } catch (error) {
    await apis?.stop();
    await pipeline.stop();
    throw error;
  }
}
