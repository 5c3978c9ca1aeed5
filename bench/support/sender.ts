import { once } from 'node:events';
import { type Measured, orEnded, startProgram } from './processes.ts';
import type { Aim } from './sign-requests.ts';

interface Common {
  readonly urls: readonly string[];
  readonly connections: number;
  /** Also report every answer, or every latency. */
  readonly tell?: 'each' | 'latencies';
}

/** Each connection sends its next request when its last is answered, so many in all. They are signed before the clock starts. */
export interface ClosedOrder extends Common {
  readonly mode: 'closed';
  readonly count: number;
  /** Between an answer and the next request. */
  readonly pauseMs?: number;
}

/** So many a second whatever the answers do. Latency counts from when a request was due. */
export interface OpenOrder extends Common {
  readonly mode: 'open';
  readonly rate: number;
  readonly seconds: number;
}

export type SendOrder = ClosedOrder | OpenOrder;

export interface Answered {
  readonly deliveryId: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface SendReport {
  readonly seconds: number;
  readonly answered: number;
  /** Status -> answers, without the 200s. */
  readonly wrong: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly answers: readonly Answered[];
  readonly latencies: readonly number[];
}

export type SenderMessage =
  | { readonly ready: true }
  | { readonly report: SendReport }
  | { readonly failed: string };

/** A load generator in a process of its own: an exact number of requests, none twice, every answer looked at. */
export interface Sender extends Measured {
  /** Signs what a closed order will send. */
  prepare(count: number): Promise<void>;
  /** Throws unless every answer is 200. */
  send(order: SendOrder): Promise<SendReport>;
}

export async function startSender(aim: Aim): Promise<Sender> {
  const { child, ...running } = await startProgram('sender', { AIM: JSON.stringify(aim) });
  const ask = async (message: SendOrder | { readonly mode: 'prepare'; readonly count: number }) => {
    const said = orEnded('the sender', child, (signal) => once(child, 'message', { signal }));
    child.send(message);
    const [answer] = (await said) as [SenderMessage];
    if ('failed' in answer) throw new Error(`sending failed: ${answer.failed}`);
    return answer;
  };
  return {
    ...running,
    async prepare(count) {
      await ask({ mode: 'prepare', count });
    },
    async send(order) {
      const answer = await ask(order);
      if (!('report' in answer)) throw new Error('the sender reported nothing');
      const { wrong, answered } = answer.report;
      if (Object.keys(wrong).length > 0)
        throw new Error(`of ${answered} answers some were not 200: ${JSON.stringify(wrong)}`);
      return answer.report;
    },
  };
}
