import { freePort } from '../../support/free-port.ts';
import { startService } from '../../support/service-process.ts';
import { type OutboundPipeline, startOutboundPipeline } from './outbound-pipeline.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** Real processes from the webhook to a receiver, and an API server beside them. */
export interface OutboundApi {
  readonly pipeline: OutboundPipeline;
  readonly receiver: Receiver;
  readonly apiUrl: string;
  stop(): Promise<void>;
}

export async function startOutboundApi(respond?: Parameters<typeof startReceiver>[0]): Promise<OutboundApi> {
  const pipeline = await startOutboundPipeline();
  const receiver = await startReceiver(respond);
  const port = await freePort();
  const api = startService('api', { ...pipeline.env, API_PORT: String(port) });
  await api.ready();
  return {
    ...{ pipeline, receiver },
    apiUrl: `http://127.0.0.1:${port}`,
    async stop() {
      await api.kill('SIGKILL');
      await pipeline.stop();
      await receiver.close();
    },
  };
}
