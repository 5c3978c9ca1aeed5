import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { lateStyles } from './build/late-styles.ts';
import { themeVariables } from './build/theme-variables.ts';

export default defineConfig({
  plugins: [react(), themeVariables(), lateStyles()],
  // Bundles our own packages from their sources, so that the dashboard builds without compiling them first.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy allows no data: scripts or fonts, so small files stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    manifest: true,
    // Lists the licences of bundled third-party code, as those licences require.
    license: { fileName: 'licences.md' },
  },
  server: { proxy: { '/api': process.env.API_URL ?? 'http://127.0.0.1:8081' } },
});
