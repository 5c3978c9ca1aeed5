import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { serve } from '../../support/serve.ts';

/** One request as it arrived, with its body. */
export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** The way in which a front treats one request: pass it on, answer it, or lose the response after it was served. */
export type Deed =
  | 'pass'
  | 'lose'
  /** Sends the head and the half of the body. */
  | 'cut'
  | 'never'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

/** A server before another one, as a proxy that breaks in chosen ways. */
export interface Front {
  readonly url: string;
  readonly passed: Passed[];
  /** The deeds for the next requests. After them all requests pass. */
  deeds: Deed[];
  close(): Promise<void>;
}

export async function startFront(port: number): Promise<Front> {
  const passed: Passed[] = [];
  const { url, close } = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { method = '', url: path = '', headers } = request;
    passed.push({ method, path, headers, body, at: Date.now() });
    const deed = front.deeds.shift() ?? 'pass';
    if (deed === 'never') return;
    if (typeof deed === 'object')
      return void response.writeHead(deed.status, deed.headers).end(deed.body ?? 'busy');
    await passOn(port, request, body, { response, deed });
  });
  const front: Front = { url, passed, deeds: [], close };
  return front;
}

async function passOn(
  port: number,
  { method, url: path, headers }: IncomingMessage,
  body: string,
  { response, deed }: { readonly response: ServerResponse; readonly deed: Deed },
): Promise<void> {
  const onward = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false });
  onward.end(body);
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  if (deed === 'lose') return void response.destroy();
  const whole = Buffer.concat(chunks);
  response.writeHead(answer.statusCode ?? 500, answer.headers);
  if (deed !== 'cut') return void response.end(whole);
  response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
}
