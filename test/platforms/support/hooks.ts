import { serve } from '../../support/serve.ts';
import { until } from '../../support/until.ts';
import type { Row } from './zapier.ts';

/** A request as Zapier passes it to `perform`. */
export interface Hook {
  /** The path, which is the Zap. */
  readonly path: string;
  readonly rawRequest: { readonly method: string; readonly headers: Row; readonly content: string };
  readonly cleanedRequest: Row & { readonly id: string; readonly type: string };
}

/** The part of Zapier that receives hooks and hands them to the app. It responds 200 to each. */
export interface Hooks {
  url(zap: string): string;
  /** Waits until a Zap has this many hooks, and returns them. */
  received(zap: string, count: number): Promise<readonly Hook[]>;
  close(): Promise<void>;
}

export async function startHooks(): Promise<Hooks> {
  const all: Hook[] = [];
  const server = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const content = Buffer.concat(chunks).toString();
      const headers = Object.fromEntries(Object.entries(request.headers).map(renamed));
      all.push({
        path: request.url ?? '',
        rawRequest: { method: request.method ?? '', headers, content },
        cleanedRequest: JSON.parse(content),
      });
      response.setHeader('content-type', 'application/json');
      response.end('{"status":"success"}');
    });
  });
  const of = (zap: string) => all.filter(({ path }) => path === `/hooks/standard/${zap}/`);
  return {
    url: (zap) => `${server.url}/hooks/standard/${zap}/`,
    async received(zap, count) {
      await until(() => of(zap).length >= count, { what: `${count} hooks of ${zap}`, withinMs: 30_000 });
      return of(zap);
    },
    close: server.close,
  };
}

/** Zapier's names of headers: `webhook-id` becomes `Http-Webhook-Id`. */
function renamed([name, value]: [string, string | string[] | undefined]) {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return [`Http-${words.join('-')}`, value];
}
