import { startService } from '@sluice/runtime/process/start-service';
import { readConfig } from './config.ts';
import { startApi } from './start-api.ts';

await startApi(await startService({ name: 'api', config: readConfig() }));
