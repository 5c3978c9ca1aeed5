import { expect } from 'chai';
import { launcherConfig } from '../../tools/launcher/src/config.ts';
import { firstSteps } from '../../tools/launcher/src/first-steps.ts';
import type { Launched } from '../../tools/launcher/src/launch.ts';
import type { LaunchContext } from '../../tools/launcher/src/launch-context.ts';
import { newFolder } from '../support/folder.ts';
import { startMongoProxy } from '../support/mongo-proxy.ts';
import { openTestMongo } from '../support/mongo-server.ts';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';
import { silentLogger } from '../support/silent-logger.ts';

describe('the first steps of npm start', () => {
  it('are tried again until MongoDB answers, and stop no service', async () => {
    const dataDir = newFolder();
    const mongo = await openTestMongo('first-steps');
    const proxy = await startMongoProxy(mongo.url);
    try {
      proxy.shut();
      const said: string[] = [];
      const say = (line: string) => {
        said.push(line);
        proxy.open();
      };
      const context = {
        config: launcherConfig({ DATA_DIR: dataDir, SLUICE_NAMESPACE: uniqueNamespace() }),
        logger: silentLogger(),
        output: { say },
        unlessStopping: () => {},
      } as unknown as LaunchContext;
      const apiUrl = 'http://localhost:8081';
      const { demo, ownerLink } = await firstSteps(context, {
        redisUrl: sharedRedisUrl(),
        mongoUrl: proxy.url,
        eventsUrl: 'http://localhost:8080',
        apiUrl,
        secretKey: Buffer.alloc(32, 7),
      } as Launched);
      expect(said[0]).to.include('the services run, but').and.to.include('trying again');
      expect(demo.source.endpointUrl).to.include('/webhook/src_');
      expect(ownerLink).to.include(`${apiUrl}/welcome#token=`);
    } finally {
      await proxy.close();
      await mongo.close();
    }
  });
});
