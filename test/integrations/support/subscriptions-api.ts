import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Stored {
  readonly id: string;
  readonly target_url: string;
  readonly client?: object;
}

/** The part of the API that has webhook subscriptions. Each key is that of another account. */
export async function startSubscriptionsApi() {
  const accounts = new Map<string, Map<string, Stored>>();
  const rejected = new Set<string>();
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
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const own = of(key);
    switch (request.method) {
      case 'POST': {
        const wanted = JSON.parse(text);
        if (rejected.has(wanted.target_url))
          return response.writeHead(422).end(JSON.stringify({ message: 'Rejected.' }));
        return response.end(JSON.stringify({ ...add(key, wanted), secret: 'whsec_x' }));
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
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add,
    /** The target URLs that it rejects. */
    rejected,
    list: (key: string) => [...of(key).values()],
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
