import { configOrExit } from '@sluice/runtime/config/config';
import { startService } from '@sluice/runtime/process/start-service';
import { dispatcherVariables } from './config.ts';
import { startDispatcher } from './start-dispatcher.ts';

const config = configOrExit(dispatcherVariables);
await startDispatcher(await startService({ name: 'dispatcher', config, tracing: config }));
