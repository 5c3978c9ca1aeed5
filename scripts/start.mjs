// npm start: install, bundle, then run everything in this process, so that no process in between loses a signal.
import { bootstrap } from './bootstrap.mjs';

await bootstrap();
await import('../tools/launcher/dist/main.js');
