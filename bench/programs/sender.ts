/**
 * Sends prepared requests over raw sockets at a fixed rate, each once, and checks every response. wrk is cheaper, but cannot keep
 * a rate.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectLanes, type Lane } from '../support/lanes.ts';
import { readRequests } from '../support/requests-file.ts';
import type { SenderMessage, SendOrder, SendReport } from '../support/sender.ts';
import { percentile } from '../support/stats.ts';

const TICK_MS = 2;

const requests = await readRequests(process.env.REQUESTS as string);
let next = 0;

/** A request without a free connection waits, and its latency includes the wait. */
async function send({ url, connections, rate, ...order }: SendOrder): Promise<SendReport> {
  const lanes = await connectLanes(url, connections);
  const total = Math.round(rate * order.seconds);
  const latencies: number[] = [];
  const since = performance.now();
  const free = [...lanes];
  let [due, taken] = [0, 0];
  let failure: unknown;
  const exchange = async (lane: Lane, place: number): Promise<void> => {
    const request = requests[next++];
    if (request === undefined) throw new Error(`only ${requests.length} requests were prepared`);
    const status = await lane.ask(request);
    if (status !== 200 && status !== 201) throw new Error(`a response has the status ${status}`);
    latencies.push(performance.now() - since - (place / rate) * 1000);
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
  while (latencies.length < total && failure === undefined) {
    due = Math.min(total, Math.floor(((performance.now() - since) / 1000) * rate) + 1);
    pump();
    await sleep(TICK_MS);
  }
  const seconds = (performance.now() - since) / 1000;
  for (const lane of lanes) lane.close();
  if (failure !== undefined) throw failure;
  return { seconds, answered: total, p99Ms: percentile(latencies, 0.99) };
}

const tell = (message: SenderMessage) => process.send?.(message);

process.on('message', (order: SendOrder) => {
  send(order).then(
    (report) => tell({ report }),
    (error: Error) => tell({ failed: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ url: '' });
