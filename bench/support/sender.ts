import { once } from 'node:events';
import { type Measured, orEnded, startProgram } from './processes.ts';
import type { Aim } from './sign-requests.ts';

interface Common {
  readonly urls: readonly string[];
  readonly connections: number;
  /** Also report every response, or every latency. */
  readonly tell?: 'each' | 'latencies';
}

/** Each connection sends its next request after the last response, up to a total. They are signed before the clock starts. */
export interface ClosedOrder extends Common {
  readonly mode: 'closed';
  readonly count: number;
  /** Pause between a response and the next request. */
  readonly pauseMs?: number;
}

/** Sends at a fixed rate, independent of the responses. Latency counts from when a request was due. */
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
  /** Status -> number of responses, without 200 and 201. */
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

/** A load generator in a separate process. It sends an exact number of requests, none twice, and checks every response. */
export interface Sender extends Measured {
  /** Signs the requests of a closed loop. */
  prepare(count: number): Promise<void>;
  /** Throws unless every response is 200 or 201. */
  send(order: SendOrder): Promise<SendReport>;
}

/** A sender of signed upserts. */
export function startSender(aim: Aim): Promise<Sender> {
  return start({ AIM: JSON.stringify(aim) });
}

/** A sender of prepared requests (requests-file.ts), in their order. */
export function startFileSender(file: string): Promise<Sender> {
  return start({ REQUESTS: file });
}

async function start(env: Record<string, string>): Promise<Sender> {
  const { child, ...running } = await startProgram('sender', env);
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
        throw new Error(`of ${answered} answers some were not 200 or 201: ${JSON.stringify(wrong)}`);
      return answer.report;
    },
  };
}
