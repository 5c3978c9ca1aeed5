import { writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { newFolder } from '../support/folder.ts';
import { type Served, serve } from '../support/serve.ts';
import { sluice } from './support.ts';

export const SECRET = 'whsec_0278fb5741a6f0f80ed9be81dc4d2ae1cfbd0991';
/** The arguments of an upsert with no optional field. */
export const MINIMAL = ['upsert', '--title', 'Open day', '--starts-at', '2026-12-01T18:00:00+01:00'];

/** An endpoint that records each request, and a file with the signing secret. Each test sets its response. */
export function useEndpoint() {
  let server: Served | undefined;
  const at = {
    url: '',
    dir: '',
    secretFile: '',
    reply: { status: 200, headers: {} as Record<string, string>, body: '' },
    received: [] as { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer }[],
    /** Runs `sluice send` against the endpoint. */
    send: (args: readonly string[], stdin?: string | Uint8Array) =>
      sluice(['send', ...args, '--url', at.url], stdin === undefined ? {} : { stdin }),
  };

  before(async () => {
    server = await serve((request, response) => {
      void buffer(request).then((body) => {
        at.received.push({
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body,
        });
        response.writeHead(at.reply.status, at.reply.headers).end(at.reply.body);
      });
    });
    at.url = `${server.url}/api/v1/events/webhook/src_1`;
    at.dir = newFolder();
    at.secretFile = join(at.dir, 'secret');
    await writeFile(at.secretFile, SECRET);
  });
  beforeEach(() => {
    at.received.length = 0;
    at.reply = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"ok":true,"status":"ok","delivery_id":"dlv_1"}',
    };
  });
  after(() => server?.close());
  return at;
}
