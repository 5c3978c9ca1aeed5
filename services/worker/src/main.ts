import { configOrExit } from '@sluice/runtime/config/config';
import { createReleasers } from '@sluice/runtime/process/releasers';
import { stopOnSignal } from '@sluice/runtime/process/shutdown';
import { spareHeap } from '@sluice/runtime/process/sparing-heap';
import { logConsole } from '@sluice/runtime/telemetry/log-console';
import { createLogger } from '@sluice/runtime/telemetry/logger';
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
