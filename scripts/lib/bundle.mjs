import { readdirSync, rmSync, utimesSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isNewerThan } from './newer.mjs';
import { ROOT } from './run.mjs';

/** What runs as a process of its own, and what scripts need of it before any of that runs. */
const ENTRIES = {
  'packages/embedded-mongodb': ['main'],
  'services/api': ['main'],
  'services/cli': ['main'],
  'services/ingress': ['main'],
  'services/launcher': ['main', 'redis-binary'],
  'services/worker': ['main'],
};

/** Whatever may end up in a bundle. */
const MADE_OF = [
  ...['packages', 'services'].flatMap((group) =>
    readdirSync(join(ROOT, group))
      .filter((name) => name !== 'dashboard')
      .map((name) => join(ROOT, group, name, 'src')),
  ),
  join(ROOT, 'scripts', 'lib', 'bundle.mjs'),
  join(ROOT, 'package-lock.json'),
];

/**
 * A bundle is one file instead of some thousand: a process starts in half of the time. It lies where `import.meta.url`
 * is as far from the root as in `src/main.ts`, and so do the chunks that are loaded only when they are needed.
 */
function optionsOf(workspace) {
  const folder = join(ROOT, workspace);
  return {
    absWorkingDir: ROOT,
    entryPoints: ENTRIES[workspace].map((name) => join(folder, 'src', `${name}.ts`)),
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Our own packages by their sources.
    conditions: ['source'],
    external: [
      // Finds the files of its pages beside itself.
      '@bull-board/*',
      // Looked for by MongoDB's driver, which goes on without them.
      ...[
        'mongodb-client-encryption',
        'kerberos',
        'snappy',
        'aws4',
        'socks',
        'gcp-metadata',
        '@mongodb-js/zstd',
      ],
      '@aws-sdk/credential-providers',
    ],
    // What is not a module yet asks for Node's own parts by `require`.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';const require = requireOf(import.meta.url);",
    },
    metafile: true,
    logLevel: 'warning',
  };
}

const BUNDLES = Object.entries(ENTRIES).flatMap(([workspace, names]) =>
  names.map((name) => join(ROOT, workspace, 'dist', `${name}.js`)),
);

/** Whether no source has changed since all was bundled. */
export function isBundled() {
  return BUNDLES.every((file) => isNewerThan(file, MADE_OF));
}

/** Bundles everything that runs as a process. Rejects, having said why, where that cannot be done. */
export async function bundle() {
  const startedAt = new Date();
  const { build } = await import('esbuild');
  await Promise.all(
    Object.keys(ENTRIES).map(async (workspace) => {
      const { metafile } = await build(optionsOf(workspace));
      forgetOthers(workspace, metafile);
    }),
  );
  // What changed meanwhile is newer.
  for (const file of BUNDLES) utimesSync(file, new Date(), startedAt);
}

/** The same again whenever a source changes, until `stop`; `onBundled` is called after each time that it worked. */
export async function keepBundling(onBundled) {
  const { context } = await import('esbuild');
  const told = {
    name: 'told',
    setup: (build) => build.onEnd(({ errors }) => void (errors.length === 0 && onBundled())),
  };
  const contexts = await Promise.all(
    Object.keys(ENTRIES).map((workspace) => context({ ...optionsOf(workspace), plugins: [told] })),
  );
  await Promise.all(contexts.map((one) => one.watch()));
  return { stop: () => Promise.all(contexts.map((one) => one.dispose())) };
}

/** Chunks have names that change with what is in them. */
function forgetOthers(workspace, { outputs }) {
  const dist = join(ROOT, workspace, 'dist');
  for (const name of readdirSync(dist))
    if (name.endsWith('.js') && !(relative(ROOT, join(dist, name)) in outputs)) rmSync(join(dist, name));
}
