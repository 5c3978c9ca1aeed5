import { configOrExit } from '@sluice/runtime/config/config';
import { startService } from '@sluice/runtime/process/start-service';
import { workerVariables } from './config.ts';
import { startWorker } from './start-worker.ts';

const config = configOrExit(workerVariables);
await startWorker(await startService({ name: 'worker', config, tracing: config }));
