import { serve } from '../../support/serve.ts';

/** A request that an integration sent to the public API. */
export interface Sent {
  readonly method: string;
  /** Below /api/public, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: the body has the form that the test expects.
  readonly body: any;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An API server whose responses a test chooses, and which has what it was sent. */
export interface ApiStub {
  readonly url: string;
  readonly sent: Sent[];
  reply: (sent: Sent) => Reply;
  close(): Promise<void>;
}

export async function startApiStub(): Promise<ApiStub> {
  const stub: { sent: Sent[]; reply: ApiStub['reply'] } = { sent: [], reply: () => ({}) };
  const { url, close } = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = new URL(request.url ?? '', 'http://127.0.0.1');
    const text = Buffer.concat(chunks).toString();
    const sent: Sent = {
      method: request.method ?? '',
      path: asked.pathname.replace('/api/public', ''),
      query: Object.fromEntries(asked.searchParams),
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    stub.sent.push(sent);
    const { status = 200, headers = {}, body = {} } = stub.reply(sent);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(status === 204 ? undefined : JSON.stringify(body));
  });
  return Object.assign(stub, { url, close });
}

/** The reply to a list: 450 entries, read by pages as the API does. */
export function pagesOf(prefix: string): (sent: Sent) => Reply {
  const all = Array.from({ length: 450 }, (_, n) => ({ id: `${prefix}_${n}`, name: `${prefix} ${n}` }));
  return ({ query }) => {
    const from = Number(query.cursor ?? 0);
    const next = from + Number(query.limit ?? 50);
    return { body: { data: all.slice(from, next), next_cursor: next < all.length ? String(next) : null } };
  };
}
