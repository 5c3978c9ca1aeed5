import { Redis } from 'ioredis';
import { mongo } from 'mongoose';

/** All data of a Redis as one text, to search in. */
export async function dumpRedis(url: string): Promise<string> {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  const parts: unknown[] = [];
  for (const key of await redis.keys('*')) parts.push(key, await contentOf(redis, key));
  redis.disconnect();
  return JSON.stringify(parts);
}

async function contentOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, '0', '-1');
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return null;
  }
}

/** All documents of a database as one text, to search in. */
export async function dumpMongo(url: string, database: string): Promise<string> {
  const client = await new mongo.MongoClient(url).connect();
  const db = client.db(database);
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const documents = await Promise.all(collections.map(({ name }) => db.collection(name).find().toArray()));
  await client.close();
  return JSON.stringify(documents);
}
