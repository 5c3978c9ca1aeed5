import { dumpMongo, dumpRedis } from '../../support/dump.ts';
import { expectNoSecret } from '../../support/no-secret.ts';
import { PASSWORD, type Stack } from './stack.ts';

/** Throws if a log line, Redis or MongoDB contains a secret. */
export async function expectNothingSecretKept(stack: Stack): Promise<void> {
  const sessions = stack.people.map(({ cookie }) => cookie.slice(cookie.indexOf('=') + 1));
  const places = {
    'a log': JSON.stringify(stack.logs()),
    Redis: await dumpRedis(stack.redisUrl),
    MongoDB: await dumpMongo(stack.mongoUrl, stack.namespace),
  };
  for (const [place, text] of Object.entries(places)) expectNoSecret(place, text, [PASSWORD, ...sessions]);
}
