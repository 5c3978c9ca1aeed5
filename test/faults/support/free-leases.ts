import type { mongo } from 'mongoose';

/** Ends the leases of requests whose API server was killed. Call it while no API server is alive. */
export async function freeLeases(db: mongo.Db): Promise<void> {
  const held = { answer: null, lease_until: { $gt: new Date() } };
  await db.collection('idempotency_keys').updateMany(held, { $set: { lease_until: new Date(0) } });
}
