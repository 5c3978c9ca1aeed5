import { configOrExit } from '@sluice/runtime/config';
import { logConsole } from '@sluice/runtime/log-console';
import { createLogger } from '@sluice/runtime/logger';
import { createReleasers } from '@sluice/runtime/releasers';
import { stopOnSignal } from '@sluice/runtime/shutdown';
import { spareHeap } from '@sluice/runtime/sparing-heap';
import { workerVariables } from './config.ts';
import { WORKER_PACE } from './heap-pace.ts';
import { startWorker } from './worker.ts';

spareHeap(WORKER_PACE);
const config = configOrExit(workerVariables);
const logger = createLogger({ service: 'worker', level: config.LOG_LEVEL });
logConsole(logger);
const releasers = createReleasers({ logger });
const graceMs = config.SHUTDOWN_GRACE_SECONDS * 1000;
stopOnSignal({ releasers, logger, graceMs });
await startWorker({ config, logger, releasers });
