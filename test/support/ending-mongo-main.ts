// A process of its own: the embedded store behind a port all of whose connections end at once with each message to it.
import { startServer } from '@sluice/embedded-mongodb/server';
import { startMongoProxy } from './mongo-proxy.ts';

const server = await startServer({ log: () => {} });
const front = await startMongoProxy(server.url);
process.on('message', () => {
  front.shut();
  front.open();
  process.send?.('ended');
});
process.on('disconnect', () => process.exit());
process.send?.(front.url);
