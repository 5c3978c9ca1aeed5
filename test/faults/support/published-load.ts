import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestSource } from '../../support/ingress.ts';
import { send } from '../../support/post.ts';
import { signed, upsertBody } from '../../support/signed.ts';
import { sized } from '../../support/size.ts';

/** Changes of events and leads that go on while processes are killed. Each request is repeated until it is answered. */
export interface PublishedLoad {
  /** Ids of the leads that were created. */
  readonly leads: string[];
  /** Titles of the events that were sent. */
  readonly titles: ReadonlySet<string>;
  /** Requests that were accepted. */
  readonly accepted: { events: number; leads: number };
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

const EVENTS = 30;
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
  const titles = new Set<string>();
  const leads: string[] = [];
  const accepted = { events: 0, leads: 0 };
  let running = true;
  let price = 0;

  async function sendEvent(): Promise<void> {
    const title = `Event ${pick(EVENTS)}`;
    price += 1;
    const body = upsertBody({ title, price: String(price) });
    const request = signed({ secret: source.secret, body });
    const answer = await send(ingressUrl + source.path, request).catch(() => undefined);
    if (answer?.status !== 200) return void (await sleep(RETRY_MS));
    titles.add(title);
    accepted.events += 1;
  }

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
    accepted.leads += 1;
  }

  const repeat = async (step: () => Promise<void>) => {
    while (running) {
      await step();
      await sleep(PAUSE_MS);
    }
  };
  const senders = Array.from({ length: SENDERS }, () => [repeat(sendEvent), repeat(changeLead)]).flat();
  return {
    leads,
    titles,
    accepted,
    async stop() {
      running = false;
      await Promise.all(senders);
    },
  };
}
