// Runs as its own process, so that a flood takes no CPU time from the process that measures: see floods-attack.ts.
import { connect, type Socket } from 'node:net';
import type { AttackSettings } from './floods-attack.ts';

type Repeat = Extract<AttackSettings, { kind: 'repeat' }>;
type Hold = Extract<AttackSettings, { kind: 'hold' }>;

/** Connections that are opened at the same time. More would only fill the server's backlog. */
const CONNECTING = 200;
const TELL_EVERY_MS = 50;
const PACE_EVERY_MS = 10;
const DRIP_EVERY_MS = 1000;

const seen = { opened: 0, closed: 0, retryAfter: 0, statuses: {} as Record<string, number> };
const sockets = new Set<Socket>();
let stopping = false;

/** Beginnings of responses, and the header that states when to retry. */
const HEARD = /HTTP\/1\.1 (\d{3}) |\r\nretry-after: \d/gi;
/** Longer than any match of the pattern. */
const TAIL = 20;

/** Counts the responses on a connection. A chunk may be any part of one. Returns how many begin in the chunk. */
function createCounter(): (chunk: Buffer) => number {
  let rest = '';
  return (chunk) => {
    const text = rest + chunk.toString('latin1');
    let answers = 0;
    let end = text.length - TAIL;
    for (const { 0: heard, 1: status, index } of text.matchAll(HEARD)) {
      end = Math.max(end, index + heard.length);
      if (status === undefined) seen.retryAfter += 1;
      else {
        answers += 1;
        seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
      }
    }
    rest = text.slice(Math.max(0, end));
    return answers;
  };
}

/** Decides when a connection may send its next requests: at once, or at the requested pace. */
function createPace(perSecond: number | undefined): (send: () => void) => void {
  if (perSecond === undefined) return (send) => send();
  const idle: (() => void)[] = [];
  let startedAt: number | undefined;
  let sent = 0;
  setInterval(() => {
    if (idle.length === 0) return;
    // The pace starts with the first request. Otherwise everything due before would be sent at once.
    startedAt ??= performance.now();
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    while (idle.length > 0 && (sent < due || stopping)) {
      sent += 1;
      idle.shift()?.();
    }
  }, PACE_EVERY_MS);
  return (send) => void idle.push(send);
}

function createRepeater({ requests, pipelined, perSecond }: Repeat): (socket: Socket) => void {
  const pace = createPace(perSecond);
  let used = 0;
  return (socket) => {
    const count = createCounter();
    let awaited = 0;
    const send = () => {
      if (stopping) return void socket.end();
      if (socket.destroyed) return;
      awaited = pipelined;
      for (let i = 0; i < pipelined; i++) socket.write(requests[used++ % requests.length] as Uint8Array);
    };
    socket.on('data', (data) => {
      const answers = count(data);
      awaited -= answers;
      if (answers > 0 && awaited <= 0) pace(send);
    });
    pace(send);
  };
}

function hold(socket: Socket, { first, drip }: Hold): void {
  socket.on('data', createCounter());
  socket.write(first);
  if (drip === undefined) return void socket.end();
  const timer = setInterval(() => socket.write(drip), DRIP_EVERY_MS);
  socket.once('close', () => clearInterval(timer));
}

interface Target {
  readonly port: number;
  /** Whether its side stays open after the server has ended its half. */
  readonly allowHalfOpen: boolean;
}

/** Resolves once the connection is open or has failed. A repeating one reconnects when the server ends it. */
function open(to: Target, onConnect: (socket: Socket) => void, again: boolean): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ ...to, host: '127.0.0.1', noDelay: true });
    let connected = false;
    sockets.add(socket);
    // A reset connection also closes, and only that matters here.
    socket.on('error', () => {});
    socket.once('connect', () => {
      connected = true;
      seen.opened += 1;
      onConnect(socket);
      resolve();
    });
    socket.once('close', () => {
      sockets.delete(socket);
      resolve();
      if (!connected) return;
      seen.closed += 1;
      if (again && !stopping) void open(to, onConnect, again);
    });
  });
}

async function flood(settings: AttackSettings): Promise<void> {
  const { port } = settings;
  const repeats = settings.kind === 'repeat';
  const allowHalfOpen = !repeats && settings.drip === undefined;
  const onConnect = repeats ? createRepeater(settings) : (socket: Socket) => hold(socket, settings);
  for (let left = settings.connections; left > 0 && !stopping; left -= CONNECTING) {
    const some = Array.from({ length: Math.min(left, CONNECTING) }, () =>
      open({ port, allowHalfOpen }, onConnect, repeats),
    );
    await Promise.all(some);
  }
}

/** Reports the final counts once nothing is under way. */
function end(settings: AttackSettings): void {
  stopping = true;
  if (settings.kind === 'hold') for (const socket of sockets) socket.destroy();
  setInterval(() => {
    if (sockets.size === 0) process.send?.(seen, () => process.exit());
  }, PACE_EVERY_MS);
}

process.once('message', (settings: AttackSettings | 'stop') => {
  if (settings === 'stop') process.exit();
  process.once('message', () => end(settings));
  setInterval(() => process.send?.(seen), TELL_EVERY_MS);
  void flood(settings);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
