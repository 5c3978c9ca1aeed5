import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDropRest, type DropLimits } from '@sluice/runtime/http/drop-rest';
import { listen } from '@sluice/runtime/http/listen';
import { expect } from 'chai';

const LIMITS: DropLimits = { bytes: 1_000_000, totalMs: 3_000, idleMs: 500, bytesPerSecond: 1e9 };

describe('the rest of a body behind an early response', () => {
  const servers: Server[] = [];
  after(() => {
    for (const server of servers) server.closeAllConnections();
    for (const server of servers) server.close();
  });

  /** A server that responds at once. Resolves with the time from the response to the end of the connection. */
  async function begin(limits: Partial<DropLimits>, announced: number) {
    const dropRest = createDropRest({ ...LIMITS, ...limits });
    let ended = (_ms: number): void => undefined;
    const ends = new Promise<number>((resolve) => {
      ended = resolve;
    });
    const server = createServer((request, response) => {
      const since = performance.now();
      response.writeHead(413, { connection: 'close', 'content-length': 2 }).write('no');
      dropRest(request, () => {
        ended(performance.now() - since);
        response.end();
      });
    });
    servers.push(server);
    const { url } = await listen({ server, port: 0, host: '127.0.0.1', variable: 'INGRESS_PORT' });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${announced}\r\n\r\n`);
    await once(socket, 'data');
    return { socket, ends };
  }

  /** Sends a body in pieces with pauses, as a slow line does. */
  async function sendSlowly(socket: Socket, pieces: number, size: number, everyMs: number): Promise<void> {
    for (let i = 0; i < pieces && !socket.destroyed; i++) {
      socket.write(Buffer.alloc(size));
      await sleep(everyMs);
    }
  }

  it('is read to its end on a slow line, and the connection ends then', async () => {
    const { socket, ends } = await begin({}, 100_000);
    await sendSlowly(socket, 10, 10_000, 150);
    const ms = await ends;
    expect(ms).to.be.within(1_300, 2_500);
  });

  it('ends the connection after a time without a byte', async () => {
    const { socket, ends } = await begin({}, 100_000);
    socket.write(Buffer.alloc(10));
    expect(await ends).to.be.within(490, 2_000);
  });

  it('ends the connection after a total time, however slowly the body comes', async () => {
    const { socket, ends } = await begin({ totalMs: 1_000 }, 100_000);
    void sendSlowly(socket, 100, 1, 50);
    expect(await ends).to.be.within(990, 2_500);
    socket.destroy();
  });

  it('reads no more than a number of bytes, and then leaves a second to read the response', async () => {
    const { socket, ends } = await begin({ bytes: 100_000, idleMs: 60_000, totalMs: 60_000 }, 1e9);
    socket.write(Buffer.alloc(200_000));
    expect(await ends).to.be.within(990, 3_000);
    socket.destroy();
  });

  it('takes longer if the process has dropped much in this time', async () => {
    const { socket, ends } = await begin({ bytesPerSecond: 1_000_000 }, 500_000);
    socket.write(Buffer.alloc(500_000));
    expect(await ends).to.be.within(200, 3_000);
  });
});
