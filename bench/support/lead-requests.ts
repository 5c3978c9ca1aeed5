/** The measured requests of the public API. */
export const LEAD_REQUESTS = ['get', 'list', 'create', 'match'] as const;
export type LeadRequest = (typeof LEAD_REQUESTS)[number];

export const LEAD_REQUEST_NAMES: Readonly<Record<LeadRequest, string>> = {
  get: 'GET one lead',
  list: 'GET a list of 50 leads',
  create: 'POST a new lead',
  match: 'POST with match_on=email, each email four times',
};

export interface LeadTarget {
  readonly host: string;
  /** The API key; absent for a server without keys. */
  readonly key?: string;
  /** Ids of stored leads. */
  readonly ids: readonly string[];
}

/**
 * How often each email of `match` is sent: one request creates the lead, the others find it. They are a hundred requests
 * apart, because concurrent ones make several leads without the rules of Sluice.
 */
const [REQUESTS_AN_EMAIL, APART] = [4, 100];
const PATH = '/api/public/leads';

/** Complete HTTP requests of a kind, numbered from `from`, so that two runs share no new email. */
export function leadRequests(kind: LeadRequest, target: LeadTarget, count: number, from: number): Buffer[] {
  return Array.from({ length: count }, (_, i) => leadRequest(kind, target, from + i));
}

function leadRequest(kind: LeadRequest, target: LeadTarget, number: number): Buffer {
  switch (kind) {
    case 'get':
      return request(target, 'GET', `${PATH}/${target.ids[number % target.ids.length]}`);
    case 'list':
      return request(target, 'GET', `${PATH}?limit=50`);
    case 'create':
      return request(target, 'POST', PATH, leadBody(`c${number}`));
    case 'match': {
      const round = Math.floor(number / (APART * REQUESTS_AN_EMAIL));
      const email = `m${round * APART + (number % APART)}`;
      return request(target, 'POST', `${PATH}?match_on=email`, leadBody(email, number));
    }
  }
}

/** A lead of some 250 bytes. `call` makes repeated requests for an email differ. */
export function leadBody(mailbox: string, call = 0): string {
  return JSON.stringify({
    name: `Ada Lovelace ${mailbox}`,
    company: 'Analytical Engines Ltd',
    email: `${mailbox}@example.com`,
    tags: ['newsletter', 'autumn fair'],
    fields: { budget: 1200 + call, newsletter: true, city: 'Ghent' },
    note: 'Asked for an offer at the fair. Call back on Thursday.',
  });
}

function request({ host, key }: LeadTarget, method: string, path: string, body?: string): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`];
  if (key !== undefined) lines.push(`Authorization: Bearer ${key}`);
  if (body !== undefined)
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}
