import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** One write of the public API, repeated under one Idempotency-Key until it gets a final response. */
export interface Write {
  readonly kind: 'create' | 'match' | 'move first' | 'move again' | 'reply';
  /** Marks the record that the write makes, and is its Idempotency-Key. */
  readonly mark: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** It names a lead, a conversation, or the email that it matches on. */
  readonly about: string;
  /** The requests sent for it. */
  tries: number;
  final?: { readonly status: number; readonly body: Record<string, unknown>; readonly replayed: boolean };
}

export interface Targets {
  /** Base URLs of the API servers. */
  readonly urls: readonly string[];
  readonly key: string;
  /** Leads that several writers move. */
  readonly leadIds: readonly string[];
  readonly conversationId: string;
  readonly random: () => number;
}

export interface Writers {
  readonly writes: readonly Write[];
  /** Requests that got no response, 409 idempotency_in_progress, 5xx. */
  readonly seen: { broken: number; inProgress: number; unavailable: number };
  /** Resolves once this many further requests were sent. */
  sent(count: number): Promise<void>;
  /** Begins no new write, and resolves once each has its final response. */
  finish(): Promise<void>;
}

const STAGES = ['stg_new', 'stg_contacted', 'stg_qualified', 'stg_won', 'stg_lost'];
/** A busy API server needs this pause, and a killed one returns meanwhile. Milliseconds. */
const PAUSE_MS = 40;

/** Starts writers that go on until `finish`. A write with an unknown result is repeated later, beside new ones. */
export function startWriters(targets: Targets, count: number): Writers {
  const { random, urls, key } = targets;
  const writes: Write[] = [];
  const open: { write: Write; notBefore: number }[] = [];
  const seen = { broken: 0, inProgress: 0, unavailable: 0 };
  const unmoved: string[] = [];
  let requests = 0;
  let finishing = false;

  function next(): Write {
    const write = newWrite(targets, unmoved);
    writes.push(write);
    return write;
  }

  async function attempt(write: Write): Promise<void> {
    requests += 1;
    write.tries += 1;
    const url = urls[Math.floor(random() * urls.length)] as string;
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': write.mark,
    };
    const again = (waitMs: number) => open.push({ write, notBefore: performance.now() + waitMs });
    let status: number;
    let body: Record<string, unknown>;
    let replayed: boolean;
    try {
      const response = await fetch(url + write.path, {
        ...{ method: 'POST', headers, body: JSON.stringify(write.body) },
        signal: AbortSignal.timeout(10_000),
      });
      status = response.status;
      replayed = response.headers.has('idempotency-replayed');
      body = (await response.json()) as Record<string, unknown>;
    } catch {
      seen.broken += 1;
      return void again(PAUSE_MS);
    }
    if (status >= 500) {
      seen.unavailable += 1;
      return void again(PAUSE_MS * 5);
    }
    if (body.code === 'idempotency_in_progress') {
      seen.inProgress += 1;
      return void again(500);
    }
    write.final = { status, body, replayed };
    if (write.kind === 'create' && status === 201) unmoved.push(body.id as string);
  }

  async function run(): Promise<void> {
    for (;;) {
      const due = open.findIndex(({ notBefore }) => notBefore <= performance.now());
      const write = due >= 0 ? open.splice(due, 1)[0]?.write : finishing ? undefined : next();
      if (write !== undefined) await attempt(write);
      else if (writes.every(({ final }) => final !== undefined)) return;
      if (write?.final === undefined) await sleep(PAUSE_MS);
    }
  }

  const running = Promise.all(Array.from({ length: count }, run));
  running.catch(() => {});
  return {
    writes,
    seen,
    async sent(more) {
      const wanted = requests + more;
      while (requests < wanted) await sleep(1);
    },
    async finish() {
      finishing = true;
      await running;
    },
  };
}

function newWrite({ random, leadIds, conversationId }: Targets, unmoved: string[]): Write {
  const mark = randomUUID();
  const chosen = random();
  const stage = STAGES[Math.floor(random() * STAGES.length)];
  const about = (id: string) => ({ mark, about: id, tries: 0 });
  if (chosen < 0.15) {
    const leadId = unmoved.pop();
    if (leadId !== undefined)
      return {
        ...{ kind: 'move first', path: `/api/public/leads/${leadId}/stage` },
        ...{ body: { stage: 'stg_won', note: mark }, ...about(leadId) },
      };
  }
  if (chosen < 0.35) {
    const leadId = leadIds[Math.floor(random() * leadIds.length)] as string;
    const path = `/api/public/leads/${leadId}/stage`;
    return { kind: 'move again', path, body: { stage, note: mark }, ...about(leadId) };
  }
  if (chosen < 0.55) {
    const path = `/api/public/conversations/${conversationId}/messages`;
    return { kind: 'reply', path, body: { text: mark }, ...about(conversationId) };
  }
  if (chosen < 0.8) {
    const email = `match-${Math.floor(random() * 1e6) % 40}-${Math.floor(performance.now() / 3000)}@example.com`;
    const path = '/api/public/leads?match_on=email';
    return { kind: 'match', path, body: { email, note: mark }, ...about(email) };
  }
  return { kind: 'create', path: '/api/public/leads', body: { name: mark }, ...about(mark) };
}
