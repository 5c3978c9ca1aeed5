import { serve } from '../../support/serve.ts';

interface Stored {
  readonly id: string;
  readonly target_url: string;
  readonly client?: object;
}

/** The part of the API that has webhook subscriptions. Each key is that of another account. */
export async function startSubscriptionsApi() {
  const accounts = new Map<string, Map<string, Stored>>();
  const rejected = new Set<string>();
  const limits = { most: Number.POSITIVE_INFINITY };
  let count = 0;
  const of = (key: string) => {
    const own = accounts.get(key) ?? new Map<string, Stored>();
    accounts.set(key, own);
    return own;
  };
  const add = (key: string, wanted: Omit<Stored, 'id'>): Stored => {
    const stored = of(key).get(wanted.target_url) ?? { ...wanted, id: `sub_${++count}` };
    of(key).set(wanted.target_url, stored);
    return stored;
  };
  const { url, close } = await serve(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const own = of(key);
    switch (request.method) {
      case 'POST': {
        const wanted = JSON.parse(text);
        if (rejected.has(wanted.target_url))
          return response.writeHead(422).end(JSON.stringify({ message: 'Rejected.' }));
        if (own.size >= limits.most && !own.has(wanted.target_url)) {
          const problem = { code: 'subscription_limit_reached', message: 'The account is full.' };
          return response.writeHead(403).end(JSON.stringify(problem));
        }
        return response.end(JSON.stringify({ ...add(key, wanted), secret: 'whsec_x' }));
      }
      case 'PATCH': {
        const id = request.url?.split('/').at(-1);
        const found = [...own.values()].find((one) => one.id === id);
        if (found === undefined) return response.writeHead(404).end('{}');
        own.delete(found.target_url);
        const changed = { ...found, ...JSON.parse(text) };
        own.set(changed.target_url, changed);
        return response.end(JSON.stringify(changed));
      }
      case 'GET':
        return response.end(JSON.stringify({ data: [...own.values()], next_cursor: null }));
      default: {
        const id = request.url?.split('/').at(-1);
        for (const one of own.values()) if (one.id === id) own.delete(one.target_url);
        return response.writeHead(204).end();
      }
    }
  });
  return {
    url,
    add,
    /** The target URLs that it rejects. */
    rejected,
    /** How many subscriptions a key may have. */
    limits,
    list: (key: string) => [...of(key).values()],
    close,
  };
}
