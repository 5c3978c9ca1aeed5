import * as z from 'zod';
import { inGroup } from '../variable-info.ts';
import { mongoUrl, namespace, redisUrl, secretKey, secretKeys, whole } from '../variable-types.ts';

const info = inGroup('Stores');

/** Redis, MongoDB and the keys that encrypt what they keep. */
export const storeVariables = {
  REDIS_URL: redisUrl().meta(
    info(
      'Redis 7 or later, noeviction, append-only file; a Cluster as redis+cluster://host:port,host:port. npm start starts one when this is not set.',
      'redis://127.0.0.1:6379',
    ),
  ),
  MONGO_URL: mongoUrl().meta(
    info('MongoDB 7 or later. npm start starts one when this is not set.', 'mongodb://127.0.0.1:27017'),
  ),
  SLUICE_NAMESPACE: namespace()
    .prefault('sluice')
    .meta(info('Name under which this installation keeps everything in Redis and MongoDB.')),
  DATA_DIR: z
    .string()
    .prefault('./data')
    .meta(info('Folder in which npm start keeps its stores, logs and first-run secrets.')),
  SLUICE_SECRET_KEY: secretKey().meta(
    info(
      'Encrypts the signing secrets: 32 bytes in base64 or hex (openssl rand -base64 32). npm start makes one.',
      'base64 of 32 random bytes',
    ),
  ),
  SLUICE_SECRET_KEYS_OLD: secretKeys()
    .prefault('')
    .meta(
      info(
        'Former keys, with commas between them, that still open signing secrets until sluice secrets reseal has run.',
      ),
    ),
  REDIS_WAIT_REPLICAS: whole(0, 100)
    .prefault('0')
    .meta(info('Redis replicas that must hold an action before its sender gets a 200.')),
  QUEUE_SHARDS: whole(1, 64)
    .prefault('1')
    .meta(
      info(
        'Shards that accounts are spread over in Redis; the same for every process. See docs/scaling.md before changing it.',
      ),
    ),
} as const;
