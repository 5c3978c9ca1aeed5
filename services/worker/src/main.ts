import { configOrExit } from '@sluice/runtime/config/config';
import { spareHeap } from '@sluice/runtime/process/sparing-heap';
import { startService } from '@sluice/runtime/process/start-service';
import { workerVariables } from './config.ts';
import { WORKER_PACE } from './heap-pace.ts';
import { startWorker } from './worker.ts';

spareHeap(WORKER_PACE);
const config = configOrExit(workerVariables);
await startWorker(await startService({ name: 'worker', config, tracing: config }));
