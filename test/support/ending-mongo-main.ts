// Runs as a separate process: the embedded store behind a port that closes all its connections on each message.
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
