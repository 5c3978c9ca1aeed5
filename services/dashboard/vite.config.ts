import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { themeVariables } from './build/theme-variables.ts';

export default defineConfig({
  plugins: [react(), themeVariables()],
  // Our own packages are bundled from their sources, so that the dashboard can be built without compiling them first.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The policy of the page allows no data: scripts or fonts; small files stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    manifest: true,
    // What others wrote and we hand out in our files, with their licences, as these ask for.
    license: { fileName: 'licences.md' },
  },
  server: { proxy: { '/api': process.env.API_URL ?? 'http://127.0.0.1:8081' } },
});
