import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listen } from '@sluice/runtime/http/listen';

/** A target of the load balancer: one replica of a service. */
export interface Upstream {
  readonly url: string;
  readonly adminUrl: string;
}

/** A small load balancer. */
export interface Front {
  readonly url: string;
  /** Requests that could not be forwarded, with the reason. */
  readonly failures: string[];
  /** Log lines of a replica that was not ready after it had waited for one of its stores. */
  readonly log: Record<string, unknown>[];
  add(upstream: Upstream): void;
  close(): Promise<void>;
}

interface Replica extends Upstream {
  readonly agent: Agent;
  ready: boolean;
}

const PROBE_EVERY_MS = 20;
/** /readyz gives each of its checks 500 ms. */
const WAITED_MS = 450;

/** Forwards requests round-robin to the replicas that are ready. Never retries on a second one. */
export async function startFront(): Promise<Front> {
  const replicas: Replica[] = [];
  const failures: string[] = [];
  const log: Record<string, unknown>[] = [];
  let turn = 0;
  let probing: Promise<void> | undefined;

  const probe = async () => {
    await Promise.all(
      replicas.map(async (replica) => {
        const askedAt = performance.now();
        const answer = await fetch(`${replica.adminUrl}/readyz`).catch(() => undefined);
        await answer?.text();
        replica.ready = answer?.status === 200;
        if (answer?.status === 503 && performance.now() - askedAt >= WAITED_MS)
          log.push({ event: 'probe.late', url: replica.url });
      }),
    );
  };
  const timer = setInterval(() => {
    probing ??= probe().finally(() => {
      probing = undefined;
    });
  }, PROBE_EVERY_MS);

  function fail(response: ServerResponse, why: string): void {
    failures.push(why);
    response.writeHead(502, { 'content-type': 'application/json' }).end('{}');
  }

  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    const ready = replicas.filter((replica) => replica.ready);
    turn += 1;
    const replica = ready[turn % ready.length];
    if (replica === undefined) return fail(response, 'no replica is ready');
    const { hostname, port } = new URL(replica.url);
    const { method, url: path, headers } = incoming;
    const outgoing = request({ hostname, port, method, path, headers, agent: replica.agent }, (answer) => {
      // Keep-alive is negotiated per connection, so it is not forwarded.
      const { connection: _, 'keep-alive': __, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(response);
    });
    outgoing.on('error', (error) => fail(response, error.message));
    incoming.pipe(outgoing);
  });
  const { url } = await listen({ server, port: 0, host: '127.0.0.1', variable: 'the front' });

  return {
    url,
    failures,
    log,
    add: (upstream) =>
      void replicas.push({ ...upstream, agent: new Agent({ keepAlive: true }), ready: false }),
    async close() {
      clearInterval(timer);
      await probing;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const { agent } of replicas) agent.destroy();
    },
  };
}
