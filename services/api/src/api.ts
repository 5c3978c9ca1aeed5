import { fileURLToPath } from 'node:url';
import type { Keyring } from '@sluice/credentials/seal';
import { createSweeper } from '@sluice/outbound/publish/sweeper';
import { publishReply } from '@sluice/outbound/subscriptions/publish-reply';
import type { QueueStates } from '@sluice/queue/queue-states';
import type { Express } from 'express';
import { createApp } from './app.ts';
import { batchedStore } from './batches/batched-store.ts';
import { OVER_TLS } from './browser/cookie.ts';
import { dashboardRoutes } from './dashboard-routes.ts';
import { docsRoutes } from './docs/routes.ts';
import type { Observer } from './observe.ts';
import { dashboardFiles } from './pages/dashboard-files.ts';
import { startErasingAgain } from './parts/erasure.ts';
import { sampleQueues } from './parts/queue-snapshot.ts';
import { createParts, type PartsDeps } from './parts.ts';
import { startRetiring } from './pipeline/retire-stage.ts';
import { publicRoutes } from './public/routes.ts';
import { startForgettingRotated, startSweepingDeleted } from './sources/sweeps.ts';
import { startSweeps } from './webhooks/sweeps.ts';

/** Vite's output folder. The path is the same from `src` and from the bundle in `dist`. */
const DASHBOARD_DIR = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));

interface ApiDeps extends PartsDeps {
  readonly observer: Observer;
  /** Folder of the built dashboard. */
  readonly dashboardDir?: string;
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number;
}

export interface Api {
  readonly app: Express;
  readonly queueStates: QueueStates;
  readonly keyring: Keyring;
  /** Requests come through a proxy whose X-Forwarded-For is not trusted. */
  readonly ignoresProxy: () => boolean;
  /** Ends the streams, which would delay the shutdown of the server. Clients reconnect to another replica. */
  endStreams(): void;
  /** Writes pending data, and closes everything that would keep the process alive. */
  close(): Promise<void>;
}

/** Creates the parts of the API. Connections are passed in, so that tests can use their own. */
export function createApi(deps: ApiDeps): Api {
  const { config, redis, observer, now = Date.now } = deps;
  const store = batchedStore(deps.store);
  const parts = createParts({ ...deps, store }, now);
  const { queueStates, lastUsed } = parts;
  const sweepingDeleted = startSweepingDeleted({
    ...{ ...store, ...parts, now },
    eraseMessages: parts.publishing.outbound.erased.eraseRecords,
    publishReply: (channel) => publishReply(parts.subscriptionDeps, channel),
  });
  const routeDeps = { ...store, ...parts, redis, now, sweepDeleted: sweepingDeleted.runNow };
  const app = createApp({
    ...observer,
    trustProxy: config.TRUST_PROXY,
    dashboardApi: (router) => dashboardRoutes(router, routeDeps),
    otherRoutes(router) {
      publicRoutes(router, routeDeps);
      docsRoutes(router, parts);
      dashboardFiles(router, deps.dashboardDir ?? DASHBOARD_DIR);
    },
  });
  app.set(OVER_TLS, config.API_URL.startsWith('https:'));
  const sampling = sampleQueues(parts.takeQueueSnapshot, parts.activity, now);
  const forgetting = startForgettingRotated({ ...store, ...parts, now });
  const sweeps = startSweeps({ ...store, ...parts, now });
  const retiring = startRetiring({ ...parts, now });
  const erasing = startErasingAgain({ ...parts.eraseDeps, ...parts.publishing.outbound.erased });
  const sweeper = createSweeper({ ...store, ...parts, now, onChange: parts.onPublishChanged });
  return {
    app,
    queueStates,
    keyring: parts.keyring,
    ignoresProxy: parts.proxyWatch.isIgnoring,
    endStreams: () => parts.streamsEnd.abort(),
    async close() {
      parts.streamsEnd.abort();
      await Promise.all([
        sampling.stop(),
        sweeper.stop(),
        sweeps.stop(),
        forgetting.stop(),
        erasing.stop(),
        retiring.stop(),
        sweepingDeleted.stop(),
      ]);
      await Promise.all([lastUsed.close(), parts.activity.close(), parts.mailer?.close()]);
      await parts.linker.stop();
      await parts.publisher.settled();
      await Promise.all(parts.producers.map((producer) => producer.close()));
      await Promise.all([parts.deadLetters.close(), queueStates.close()]);
    },
  };
}
