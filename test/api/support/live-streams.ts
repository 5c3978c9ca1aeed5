import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { until } from '../../support/until.ts';

/** A live stream of deliveries, as read by a browser. */
export interface LiveStream {
  readonly status: number;
  text(): string;
  ended(): boolean;
  close(): void;
}

/** Opens a stream at an API server. Resolves once it has started or was rejected. */
export async function openLive(base: string, cookie: string, sourceId: string): Promise<LiveStream> {
  const url = `${base}${DASHBOARD_API}/deliveries/live?source_id=${sourceId}`;
  const request = get(url, { headers: { cookie }, agent: false });
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  let ended = false;
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  response.on('error', () => undefined);
  response.on('close', () => {
    ended = true;
  });
  await until(() => text.includes('retry:') || ended);
  return {
    status: response.statusCode ?? 0,
    text: () => text,
    ended: () => ended,
    close: () => request.destroy(),
  };
}
