// npm run build: bundles every process into its own files.
import { bundle } from './lib/bundle.mjs';

await bundle();
