import { join } from 'node:path';
import { ROOT, say, seconds } from '../lib/run.mjs';
import { buildBaseImage, NODE } from './base-image.mjs';
import { must, run } from './command.mjs';

const PULL_TIMEOUT_MS = 120_000;
const STAND_INS = join(ROOT, 'scripts', 'compose', 'stand-ins');

/**
 * The images that the Dockerfile and docker-compose.yml name: pulled, or stand-ins under the same names. Builds the
 * images of Sluice. Resolves to the names of the stand-ins. `realOnly`: rejects instead of building a stand-in.
 */
export async function provideImages({ engine, compose, env, realOnly }, folder) {
  const standIns = [];
  const step = async (what, work) => {
    const since = Date.now();
    say(`${what} …`);
    await work();
    say(`${what}: done in ${seconds(since)}`);
  };
  const pullOr = async (image, what, work) => {
    if (await pulled({ engine, env }, image)) return;
    if (realOnly) throw new Error(`${image} cannot be pulled`);
    standIns.push(`${image}: ${what}`);
    await step(`${image} cannot be pulled; building ${what}`, work);
  };
  const build = (file, image, ...options) => {
    const args = [
      'build',
      '--network=host',
      ...options,
      '--tag',
      image,
      '--file',
      join(STAND_INS, file),
      STAND_INS,
    ];
    return must(engine, args, { env });
  };
  const [command, ...args] = compose.split(' ');

  await pullOr('node:26-slim', `Debian 12 with Node ${NODE}`, () => buildBaseImage({ env, folder }));
  await step('building the images of Sluice', () =>
    must(command, [...args, '--profile', 'test', 'build'], { env }),
  );
  await pullOr('redis:7.4', "Debian's Redis", () => build('redis.Dockerfile', 'redis:7.4'));
  await pullOr('mongo:8.0', 'the embedded store', () =>
    build('mongo.Dockerfile', 'mongo:8.0', `--build-arg=TEST_IMAGE=${env.SLUICE_IMAGE}-test`),
  );
  return standIns;
}

async function pulled({ engine, env }, image) {
  const { code } = await run(engine, ['pull', '--quiet', `docker.io/library/${image}`], {
    env,
    timeoutMs: PULL_TIMEOUT_MS,
  });
  return code === 0;
}
