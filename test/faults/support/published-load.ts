import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestSource } from '../../support/ingress.ts';
import { sized } from '../../support/size.ts';
import { startEventLoad } from './event-load.ts';

/** Changes of events and leads that go on while processes are killed. Each request is repeated until it is accepted. */
export interface PublishedLoad {
  /** Ids of the leads that were created. */
  readonly leads: string[];
  /** The titles of the events that were accepted. */
  readonly titles: ReadonlySet<string>;
  /** Requests that were accepted. */
  readonly accepted: () => { readonly events: number; readonly leads: number };
  /** Resolves once no request is under way. */
  stop(): Promise<void>;
}

export interface PublishedLoadSettings {
  readonly source: TestSource;
  readonly ingressUrl: string;
  readonly apiUrl: string;
  readonly key: string;
  readonly pick: (below: number) => number;
}

const SENDERS = 4;
const RETRY_MS = 30;
/** How long each sender waits after a response, so that the short form sends some 100 requests a second. */
const PAUSE_MS = sized({ short: 40, middle: 0 });

export function startPublishedLoad({
  source,
  ingressUrl,
  apiUrl,
  key,
  pick,
}: PublishedLoadSettings): PublishedLoad {
  const events = startEventLoad(source, () => ingressUrl);
  const leads: string[] = [];
  let changes = 0;
  let running = true;

  async function call(method: string, path: string, body: object): Promise<Record<string, unknown>> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    for (;;) {
      try {
        const response = await fetch(apiUrl + path, { method, headers, body: JSON.stringify(body) });
        if (response.ok) return (await response.json()) as Record<string, unknown>;
      } catch {
        // The process was killed.
      }
      await sleep(RETRY_MS);
    }
  }

  async function changeLead(): Promise<void> {
    const known = leads[pick(leads.length + 3)];
    if (known === undefined) {
      const { id } = await call('POST', '/api/public/leads', { name: `Lead ${randomUUID()}` });
      leads.push(id as string);
    } else await call('PATCH', `/api/public/leads/${known}`, { company: randomUUID() });
    changes += 1;
  }

  const sendAll = async () => {
    while (running) {
      await changeLead();
      await sleep(PAUSE_MS);
    }
  };
  const senders = Array.from({ length: SENDERS }, sendAll);
  return {
    leads,
    titles: events.titles,
    accepted: () => ({ events: events.accepted(), leads: changes }),
    async stop() {
      running = false;
      await Promise.all([events.stop(), ...senders]);
    },
  };
}
