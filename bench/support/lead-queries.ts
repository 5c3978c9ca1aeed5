import { storedLead } from './stored-leads.ts';

/** A request for leads. `path` differs with each number. */
export interface LeadQuery {
  readonly name: string;
  /** The name of its plan (lead-plans.ts). */
  readonly plan: string;
  path(number: number, amount: number): string;
}

const some = (number: number, amount: number) => storedLead((number * 7_919) % amount);
const part = (text: string | undefined, from: number, to?: number) =>
  encodeURIComponent((text ?? '').slice(from, to));
const lastName = (number: number, amount: number) => some(number, amount).name?.split(' ')[1] ?? '';

export const LEAD_QUERIES: readonly LeadQuery[] = [
  { name: 'newest 50', plan: 'newest', path: () => '' },
  { name: 'oldest 50', plan: 'oldest', path: () => 'sort=created_at' },
  {
    name: 'changed since an instant, by updated_at',
    plan: 'changed',
    path: (number, amount) =>
      `sort=updated_at&updated_since=${encodeURIComponent(new Date(some(number, amount).updated_at).toISOString())}`,
  },
  { name: 'of a stage', plan: 'stage', path: () => 'stage=stg_won' },
  { name: 'with a tag', plan: 'stage', path: () => 'tag=webinar' },
  {
    name: 'of a stage, by updated_at',
    plan: 'stage by change',
    path: () => 'stage=stg_won&sort=-updated_at',
  },
  { name: 'with an email', plan: 'word', path: (n, amount) => `email=${part(some(n, amount).email, 0)}` },
  { name: 'search: a last name', plan: 'word', path: (n, amount) => `q=${part(lastName(n, amount), 0)}` },
  { name: 'search: two letters', plan: 'word', path: (n, amount) => `q=${part(lastName(n, amount), 0, 2)}` },
  {
    name: 'search: first and last name',
    plan: 'words',
    path: (n, amount) => `q=${part(some(n, amount).name, 0)}`,
  },
  {
    name: 'search: a last name in a stage',
    plan: 'words',
    path: (n, amount) => `q=${part(lastName(n, amount), 0)}&stage=stg_won`,
  },
  { name: 'search: no lead', plan: 'word', path: (n) => `q=nobody${n}` },
];

export interface LeadsAsked {
  readonly url: string;
  readonly key: string;
  /** Number of stored leads. */
  readonly amount: number;
  readonly requests: number;
}

/** Requests before the counted ones. */
const FIRST = 10;
/** How long a server may respond 503 while it learns the times of a long list. Milliseconds. */
const LEARNING_MS = 30_000;

export interface TimedQuery {
  /** Milliseconds from the first request to its 200. */
  readonly firstMs: number;
  /** Milliseconds of each counted request. */
  readonly times: readonly number[];
}

/** Sends requests one after the other. The first ten are not counted. */
export async function timeLeadQuery(
  { name, path }: LeadQuery,
  { url, key, amount, requests }: LeadsAsked,
): Promise<TimedQuery> {
  const send = async (number: number): Promise<number> => {
    const answer = await fetch(`${url}/api/public/leads?${path(number, amount)}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const begun = performance.now();
  while ((await send(0)) === 503 && performance.now() < begun + LEARNING_MS) {}
  const firstMs = performance.now() - begun;
  const times: number[] = [];
  for (let number = 1; number < FIRST + requests; number++) {
    const startedAt = performance.now();
    const status = await send(number);
    if (status !== 200) throw new Error(`${name}: ${status}`);
    if (number >= FIRST) times.push(performance.now() - startedAt);
  }
  return { firstMs, times };
}
