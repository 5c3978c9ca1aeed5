// npm start: install, bundle, then run everything, in this very process (nothing in between to lose a signal).
import { bootstrap } from './bootstrap.mjs';

await bootstrap();
await import('../tools/launcher/dist/main.js');
