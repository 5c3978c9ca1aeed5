import { startService } from '@sluice/runtime/process/start-service';
import { readConfig } from './config.ts';
import { startIngress } from './start-ingress.ts';

const config = readConfig();
await startIngress(await startService({ name: 'ingress', config, tracing: config }));
