// A process of its own: the embedded store behind a port all of whose connections end at once with each message to it.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { startServer } from '@sluice/embedded-mongodb/server';

const server = await startServer({ log: () => {} });
const behind = { port: Number(new URL(server.url).port), host: '127.0.0.1' };
const sockets = new Set<Socket>();
const front = createServer((socket) => {
  const onward = connect(behind);
  socket.pipe(onward).pipe(socket);
  sockets.add(socket);
  for (const one of [socket, onward]) one.on('error', () => {});
  socket.on('close', () => {
    sockets.delete(socket);
    onward.destroy();
  });
}).listen(0, '127.0.0.1');
await once(front, 'listening');
process.on('message', () => {
  for (const socket of sockets) socket.destroy();
  process.send?.('ended');
});
process.on('disconnect', () => process.exit());
process.send?.(`mongodb://127.0.0.1:${(front.address() as AddressInfo).port}`);
