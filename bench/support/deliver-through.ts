import { join } from 'node:path';
import { cpuOf, cpuOfEach } from './cpu.ts';
import type { OutboundCpu, OutboundPipeline } from './outbound-pipeline.ts';
import { waitReceived } from './receiver.ts';
import type { Keep } from './stage.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { waitApplied } from './wait-applied.ts';
import { wrkSend } from './wrk.ts';

/** The measurements of messages on their way through a pipeline. */
export interface Through {
  readonly messages: number;
  /** From the first publish until the last receipt. */
  readonly seconds: number;
  readonly perSecond: number;
  readonly cpuUs: OutboundCpu;
  readonly cpuSum: number;
  readonly repeated: number;
  /** Publishes a second until the last 200, and until the last is logged. 0 if the pipeline has no such log. */
  readonly answeredPerSecond: number;
  readonly loggedPerSecond: number;
}

export interface ThroughSettings {
  /** Publishes of the measured part, and of each part of the warm-up. */
  readonly publishes: number;
  /** Receipts at the receiver for each publish. 0: there is no subscription. */
  readonly receipts: number;
  readonly connections: number;
  readonly warmUpSeconds: number;
}

/** Publishes as fast as the pipeline responds, and waits until the receiver has every message. */
export async function deliverThrough(
  keep: Keep,
  pipeline: OutboundPipeline,
  { publishes, receipts, connections, warmUpSeconds }: ThroughSettings,
): Promise<Through> {
  const { path } = await keep(temporaryFolder());
  const requests = join(path, 'requests');
  const { url, receiver, parts, draining } = pipeline;
  let done = 0;
  const part = async (): Promise<Through> => {
    const messages = publishes * receipts;
    await pipeline.prepare(requests, done, publishes);
    done += publishes;
    await receiver.ask('reset');
    const before = await cpuOf(parts);
    const since = performance.now();
    const { sentAt, finish } = await wrkSend({ url, requests, connections, count: publishes });
    const [receivedAt, loggedAt] = await Promise.all([
      receipts === 0 ? sentAt : waitReceived(receiver, messages),
      draining === undefined ? undefined : waitApplied(done, draining),
    ]).finally(finish);
    const over = Math.max(receivedAt, loggedAt ?? 0);
    const seconds = (over - since) / 1000;
    const cpuUs = cpuOfEach(before, await cpuOf(parts), Math.max(messages, publishes));
    const { requests: arrived, received } = await receiver.ask('count');
    const rate = (count: number, until: number) => (count * 1000) / (until - since);
    return {
      messages,
      seconds,
      perSecond: rate(messages, receivedAt),
      cpuUs,
      cpuSum: Object.values(cpuUs).reduce((sum, us) => sum + us, 0),
      repeated: arrived - received,
      answeredPerSecond: rate(publishes, sentAt),
      loggedPerSecond: loggedAt === undefined ? 0 : rate(publishes, loggedAt),
    };
  };
  for (let warm = 0; warm === 0 || warm < warmUpSeconds; ) warm += (await part()).seconds;
  return part();
}
