import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beginEvents, UNREAD_BYTES, writeEvent } from '@sluice/api/http/event-stream';
import { createHttpServer } from '@sluice/api/server';
import { closeServer } from '@sluice/runtime/http/close-server';
import { expect } from 'chai';
import express from 'express';
import { until } from '../support/until.ts';

const UNREAD_MS = 1000;
/** More than the kernel keeps for both ends of a connection. */
const LARGE = Buffer.alloc(32 * 1024 * 1024);

describe('api: responses that are not read', function () {
  this.timeout(120_000);
  const app = express();
  let beats = 0;
  app.get('/large', (_request, response) => void response.end(LARGE));
  app.get('/stream', (_request, response) => {
    beginEvents(response);
    const beat = setInterval(() => {
      writeEvent(response, ': still here\n\n');
      beats += 1;
    }, 100);
    response.on('close', () => clearInterval(beat));
  });
  app.get('/flood', (_request, response) => {
    beginEvents(response);
    const text = 'x'.repeat(UNREAD_BYTES / 8);
    const flood = setInterval(() => writeEvent(response, text), 10);
    response.on('close', () => clearInterval(flood));
  });
  const server = createHttpServer(app, UNREAD_MS);
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  let port: number;
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  after(() => closeServer(server, { drainMs: 0, finishMs: 0 }));

  const ask = (path: string) => {
    const client = connect(port, '127.0.0.1');
    client.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    return client;
  };

  it('a connection is closed once its client reads nothing, and one that reads goes on', async () => {
    const [stuck, reader, stream] = [ask('/large').pause(), ask('/large'), ask('/stream').resume()];
    let bytes = 0;
    for await (const chunk of reader) {
      bytes += (chunk as Buffer).length;
      if (bytes > LARGE.length) break;
      await sleep(1);
    }
    expect(bytes).to.be.above(LARGE.length);
    await until(() => open.size === 1, { withinMs: 60_000 });
    const before = beats;
    await until(() => beats > before + (2 * UNREAD_MS) / 100, { withinMs: 60_000 });
    expect(stream.readableEnded).to.equal(false);
    for (const client of [stuck, reader, stream]) client.destroy();
  });

  it('a stream is closed once it would buffer more than its limit', async () => {
    await until(() => open.size === 0);
    const client = ask('/flood').pause();
    await until(() => open.size === 1);
    await until(() => open.size === 0);
    client.destroy();
  });
});
