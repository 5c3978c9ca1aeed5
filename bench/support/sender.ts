import { once } from 'node:events';
import { type Measured, orEnded, startProgram } from './processes.ts';

/** Sends at a fixed rate, independent of the responses. */
export interface SendOrder {
  readonly url: string;
  readonly connections: number;
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
}

export interface SendReport {
  /** Until the last response. */
  readonly seconds: number;
  readonly answered: number;
  /** From when a request was due until its response. */
  readonly p99Ms: number;
}

export type SenderMessage = { readonly report: SendReport } | { readonly failed: string };

/** A load generator in a separate process. It sends an exact number of requests, none twice, and checks every response. */
export interface Sender extends Measured {
  /** Throws unless every response is 200 or 201. */
  send(order: SendOrder): Promise<SendReport>;
}

/** A sender of the prepared requests of a file (requests-file.ts), in their order. */
export async function startSender(file: string): Promise<Sender> {
  const { child, ...running } = await startProgram('sender', { REQUESTS: file });
  return {
    ...running,
    async send(order) {
      const said = orEnded('the sender', child, (signal) => once(child, 'message', { signal }));
      child.send(order);
      const [answer] = (await said) as [SenderMessage];
      if ('failed' in answer) throw new Error(`sending failed: ${answer.failed}`);
      return answer.report;
    },
  };
}
