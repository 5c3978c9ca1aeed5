/**
 * The worker of the naive pipeline, as tutorials build it: one job an action, the event with `findOneAndUpdate`, the
 * log row with `create`. Its writes are as durable as Sluice's, and its queries use an index.
 */
import { Worker } from 'bullmq';
import mongoose from 'mongoose';

const CONCURRENCY = 50;
const TELL_EVERY_MS = 25;

const Event = mongoose.model(
  'Event',
  new mongoose.Schema({
    source: String,
    title: String,
    starts_at: Date,
    ends_at: Date,
    location: String,
    description: String,
    url: String,
    price: String,
    recurring: String,
    status: String,
  }).index({ source: 1, title: 1, starts_at: 1, location: 1 }, { unique: true }),
);
const Delivery = mongoose.model(
  'Delivery',
  new mongoose.Schema({
    source: String,
    action: String,
    title: String,
    status: Number,
    outcome: String,
    applied_at: Date,
  }).index({ source: 1, applied_at: -1 }),
);

await mongoose.connect(process.env.MONGO_URL as string, { writeConcern: { w: 'majority', journal: true } });
await Promise.all([Event.init(), Delivery.init()]);

let applied = 0;
const { hostname, port } = new URL(process.env.REDIS_URL as string);
const worker = new Worker(
  'naive',
  async ({ data: { source, action, event } }) => {
    const { title, starts_at, location } = event;
    const stored = await Event.findOneAndUpdate(
      { source, title, starts_at, location },
      { ...event, source, status: 'upcoming' },
      { upsert: true, returnDocument: 'after' },
    );
    const row = {
      source,
      action,
      title,
      status: 200,
      outcome: stored ? 'applied' : 'failed',
      applied_at: new Date(),
    };
    await Delivery.create(row);
    applied++;
  },
  {
    connection: { host: hostname, port: Number(port), maxRetriesPerRequest: null },
    concurrency: CONCURRENCY,
  },
);
worker.on('failed', (_, error) => process.stderr.write(`naive worker: ${error.message}\n`));
await worker.waitUntilReady();
setInterval(() => process.send?.({ applied }), TELL_EVERY_MS);
process.on('disconnect', () => process.exit());
process.send?.({ url: '' });
