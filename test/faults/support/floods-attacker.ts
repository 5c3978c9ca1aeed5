// Run as a process of its own, so that a flood takes no time from whoever measures: see floods-attack.ts.
import { connect, type Socket } from 'node:net';
import type { AttackSeen, AttackSettings } from './floods-attack.ts';

/** Another address than that of polite senders: limits are counted by it. */
const ATTACKER = '127.0.0.2';
/** Connections that are being made at a time: more would only fill the server's backlog. */
const CONNECTING = 200;

const settings = JSON.parse(process.argv[2] as string) as AttackSettings;
const { port } = settings;
const seen: AttackSeen = { open: 0, closed: 0, statuses: {} };
const sockets = new Set<Socket>();
let stopping = false;

/** Sends the whole request again and again, each time after all answers to the last time. */
function repeat(socket: Socket, request: Buffer, pipelined: number): void {
  const burst = Buffer.concat(Array.from({ length: pipelined }, () => request));
  let awaited = 0;
  const next = () => {
    if (stopping) return void socket.end();
    awaited = pipelined;
    socket.write(burst);
  };
  socket.on('data', (data) => {
    const answers = count(data);
    awaited -= answers;
    if (awaited <= 0 && answers > 0) next();
  });
  next();
}

/** Sends the beginning of a request, then a little now and then, and never its end. */
function hold(socket: Socket, first: Buffer, drip: Buffer): void {
  socket.on('data', count);
  socket.write(first);
  const timer = setInterval(() => socket.write(drip), 1000);
  socket.once('close', () => clearInterval(timer));
}

function count(data: Buffer): number {
  const statuses = [...data.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(
    ([, status]) => status as string,
  );
  for (const status of statuses) seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
  return statuses.length;
}

async function open(): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: ATTACKER });
  sockets.add(socket);
  await new Promise<void>((resolve) => {
    socket.on('error', () => {});
    socket.once('close', () => {
      sockets.delete(socket);
      seen.closed += 1;
      resolve();
      // A server that closes after an answer (413) is connected to again.
      if (settings.kind === 'repeat' && !stopping) void open();
    });
    socket.once('connect', () => {
      seen.open += 1;
      socket.setNoDelay(true);
      if (settings.kind === 'repeat')
        repeat(socket, Buffer.from(settings.request, 'base64'), settings.pipelined);
      else hold(socket, Buffer.from(settings.first, 'base64'), Buffer.from(settings.drip, 'base64'));
      resolve();
    });
  });
}

async function openMany(): Promise<void> {
  for (let left = settings.connections; left > 0 && !stopping; left -= CONNECTING)
    await Promise.all(Array.from({ length: Math.min(left, CONNECTING) }, open));
  process.send?.('opened');
}

process.on('message', async (message) => {
  if (message === 'stop') {
    stopping = true;
    if (settings.kind === 'hold') for (const socket of sockets) socket.destroy();
    while (sockets.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  process.send?.(seen);
});
process.on('disconnect', () => process.exit());
await openMany();
