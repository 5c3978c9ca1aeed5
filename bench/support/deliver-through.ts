import {
  type OutboundCpu,
  type OutboundPipeline,
  outboundCpu,
  outboundCpuPerMessage,
  requestsIn,
} from './outbound-pipeline.ts';
import { waitReceived } from './receiver.ts';
import type { Keep } from './stage.ts';
import { percentile } from './stats.ts';
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
  readonly keptP50Ms: number;
  readonly keptP99Ms: number;
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
  const requests = requestsIn(path);
  const { url, receiver } = pipeline;
  let done = 0;
  const part = async (): Promise<Through> => {
    const messages = publishes * receipts;
    await pipeline.prepare(requests, done, publishes);
    done += publishes;
    await receiver.ask('reset');
    const before = await outboundCpu(pipeline);
    const since = performance.now();
    const { sentAt, finish } = await wrkSend({ url, requests, connections, from: 0, count: publishes });
    const { draining } = pipeline;
    const [receivedAt, loggedAt] = await Promise.all([
      receipts === 0 ? sentAt : waitReceived(receiver, messages),
      draining === undefined ? undefined : waitApplied(done, draining),
    ]).finally(finish);
    await pipeline.rest?.();
    const over = Math.max(receivedAt, loggedAt ?? 0);
    const seconds = (over - since) / 1000;
    const cpuUs = outboundCpuPerMessage(before, await outboundCpu(pipeline), Math.max(messages, publishes));
    const report = await receiver.ask('report');
    const rate = (count: number, until: number) => (count * 1000) / (until - since);
    return {
      ...{ messages, seconds, perSecond: rate(messages, receivedAt), cpuUs },
      cpuSum: Object.values(cpuUs).reduce((sum, us) => sum + us, 0),
      keptP50Ms: percentile(report.sinceKept, 0.5),
      keptP99Ms: percentile(report.sinceKept, 0.99),
      repeated: report.requests - report.received,
      answeredPerSecond: rate(publishes, sentAt),
      loggedPerSecond: loggedAt === undefined ? 0 : rate(publishes, loggedAt),
    };
  };
  for (let warm = 0; warm === 0 || warm < warmUpSeconds; ) warm += (await part()).seconds;
  return part();
}
