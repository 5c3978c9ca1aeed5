import type { IncomingMessage } from 'node:http';
import type { Route, RouteTypes } from '@sluice/dashboard-api/route';
import supertest, { type Response } from 'supertest';
import type { CallInput } from './call-input.ts';
import type { Installation } from './installation.ts';

/** The client address of every call here. */
export const ADDRESS = '192.0.2.7';

/** Calls a route of the dashboard, as the owner by default. */
export function callRoute(
  at: Installation,
  route: Route<RouteTypes>,
  { params = {}, query = {}, body, who = at.owner }: CallInput,
): Promise<Response> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? `no_${name}`);
  const method = route.method.toLowerCase() as 'get';
  const test = supertest(at.api.app)[method](path).query(query).set('x-forwarded-for', ADDRESS);
  if (route.access !== 'anyone') test.set('cookie', who.cookie);
  return (body === undefined ? test : test.send(body)).buffer(true).parse(textOrJson);
}

/** Parses JSON. Otherwise reads text. */
function textOrJson(response: Response, done: (error: Error | null, body: unknown) => void): void {
  const incoming = response as unknown as IncomingMessage & { text: string };
  const type = String(incoming.headers['content-type']);
  incoming.text = '';
  const end = () =>
    done(null, /^application\/(problem\+)?json$/.test(type) ? JSON.parse(incoming.text) : incoming.text);
  incoming.on('data', (chunk: Buffer) => {
    incoming.text += chunk;
  });
  incoming.once('end', end);
}
