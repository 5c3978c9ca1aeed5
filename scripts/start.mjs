// npm start: install, bundle, then run everything in this process, so that no process in between loses a signal.
import { bootstrap, isInstalled } from './bootstrap.mjs';
import { checkPorts } from './lib/check-ports.mjs';

if (!isInstalled()) await checkPorts();
await bootstrap();
await import('../tools/launcher/dist/main.js');
