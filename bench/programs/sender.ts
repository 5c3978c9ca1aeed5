/**
 * Sends signed or prepared requests over raw sockets, each once, and checks every response. wrk is cheaper, but cannot keep a rate
 * and does not report the responses.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectLanes, type Lane } from '../support/lanes.ts';
import { readRequests } from '../support/requests-file.ts';
import type {
  Answered,
  ClosedOrder,
  OpenOrder,
  SenderMessage,
  SendOrder,
  SendReport,
} from '../support/sender.ts';
import { type Aim, createSigner } from '../support/sign-requests.ts';
import { percentile } from '../support/stats.ts';

const sign = await nextRequest(process.env);
let prepared: Buffer[] = [];

/** Returns the next request: a signed upsert, or the next one of a file. */
async function nextRequest({ AIM, REQUESTS }: NodeJS.ProcessEnv): Promise<() => Buffer> {
  if (REQUESTS === undefined) return createSigner(JSON.parse(AIM as string) as Aim);
  const requests = await readRequests(REQUESTS);
  let at = 0;
  return () => {
    const request = requests[at++];
    if (request === undefined) throw new Error(`only ${requests.length} requests were prepared`);
    return request;
  };
}

/** Collects the responses. */
function createTally(each: boolean) {
  const latencies: number[] = [];
  const answers: Answered[] = [];
  const wrong: Record<string, number> = {};
  return {
    latencies,
    answers,
    wrong,
    async ask(lane: Lane, request: Buffer, since: number): Promise<void> {
      const { status, deliveryId } = await lane.ask(request);
      latencies.push(performance.now() - since);
      if (status !== 200 && status !== 201) wrong[status] = (wrong[status] ?? 0) + 1;
      if (each) answers.push({ deliveryId, at: Date.now() });
    },
  };
}
type Tally = ReturnType<typeof createTally>;

async function send(order: SendOrder): Promise<SendReport> {
  const tally = createTally(order.tell === 'each');
  const lanes = await connectLanes(order.urls, order.connections);
  const since = performance.now();
  await (order.mode === 'closed' ? closedLoop(order, lanes, tally) : openLoop(order, lanes, tally));
  const seconds = (performance.now() - since) / 1000;
  for (const lane of lanes) lane.close();
  const { latencies, answers } = tally;
  return {
    seconds,
    answered: latencies.length,
    wrong: tally.wrong,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    answers,
    latencies: order.tell === 'latencies' ? latencies : [],
  };
}

async function closedLoop({ count, pauseMs = 0 }: ClosedOrder, lanes: Lane[], tally: Tally): Promise<void> {
  if (prepared.length < count) throw new Error(`only ${prepared.length} of ${count} requests are prepared`);
  const requests = prepared.slice(0, count);
  prepared = prepared.slice(count);
  let at = 0;
  await Promise.all(
    lanes.map(async (lane) => {
      while (at < requests.length) {
        await tally.ask(lane, requests[at++] as Buffer, performance.now());
        if (pauseMs > 0) await sleep(pauseMs);
      }
    }),
  );
}

const TICK_MS = 2;

/** A request without a free connection waits, and its latency includes the wait. */
async function openLoop({ rate, seconds }: OpenOrder, lanes: Lane[], tally: Tally): Promise<void> {
  const total = Math.round(rate * seconds);
  const since = performance.now();
  const free = [...lanes];
  let [due, taken, done] = [0, 0, 0];
  let failure: unknown;
  const exchange = async (lane: Lane, place: number): Promise<void> => {
    await tally.ask(lane, sign(), since + (place / rate) * 1000);
    done++;
    free.push(lane);
    pump();
  };
  const pump = () => {
    while (taken < due && free.length > 0) {
      // Use the connection that was idle longest, because the server closes one that never sends (408).
      exchange(free.shift() as Lane, taken++).catch((error: unknown) => {
        failure = error;
      });
    }
  };
  while (done < total && failure === undefined) {
    due = Math.min(total, Math.floor(((performance.now() - since) / 1000) * rate) + 1);
    pump();
    await sleep(TICK_MS);
  }
  if (failure !== undefined) throw failure;
}

const tell = (message: SenderMessage) => process.send?.(message);

process.on('message', (order: SendOrder | { mode: 'prepare'; count: number }) => {
  if (order.mode === 'prepare') {
    for (let i = 0; i < order.count; i++) prepared.push(sign());
    tell({ ready: true });
    return;
  }
  send(order).then(
    (report) => tell({ report }),
    (error: Error) => tell({ failed: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ url: '' });
