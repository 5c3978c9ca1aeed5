// npm run build: makes what runs as a process, as files of their own.
import { bundle } from './lib/bundle.mjs';

await bundle();
