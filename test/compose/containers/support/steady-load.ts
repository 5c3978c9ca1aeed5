import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { signed, upsertBody } from '../../../support/signed.ts';

export interface LoadReport {
  /** Responses by their status; 0 is a broken connection. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Requests that were sent a second. */
  readonly rate: number;
}

const CONNECTIONS = 64;
const TICK_MS = 10;

/** Sends signed upserts of new events to an address at a rate, whatever the responses take. */
export async function steadyLoad({
  url,
  secret,
  perSecond,
  seconds,
}: {
  readonly url: string;
  readonly secret: string;
  readonly perSecond: number;
  readonly seconds: number;
}): Promise<LoadReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const statuses: Record<number, number> = {};
  const pending: Promise<void>[] = [];
  const count = (status: number) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const one = () =>
    new Promise<void>((resolve) => {
      const { headers, body } = signed({ secret, body: upsertBody() });
      const sent = request(url, {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-length': body.length },
      });
      sent.once('response', (response) => {
        count(response.statusCode ?? 0);
        response.resume().once('end', resolve);
      });
      sent.once('error', () => {
        count(0);
        resolve();
      });
      sent.end(body);
    });

  const since = performance.now();
  const total = perSecond * seconds;
  while (pending.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - since) / 1000) * perSecond));
    while (pending.length < due) pending.push(one());
    await pause(TICK_MS);
  }
  await Promise.all(pending);
  const rate = Math.round((total / (performance.now() - since)) * 1000);
  agent.destroy();
  return { statuses, rate };
}
