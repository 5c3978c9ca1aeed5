import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { licencesOf } from './bundled-licences.mjs';
import { areNewerThan } from './newer.mjs';
import { ROOT } from './run.mjs';
import { WORKSPACES } from './workspaces.mjs';

/** What runs as a process of its own, and what scripts need of it before any of that runs. */
const ENTRIES = {
  'tools/embedded-mongodb': ['main'],
  'services/api': ['main'],
  'services/cli': ['main'],
  'services/ingress': ['main'],
  'tools/launcher': ['main', 'redis-binary'],
  'services/worker': ['main'],
};

/** Whatever may end up in a bundle. */
const MADE_OF = [
  ...WORKSPACES.filter((workspace) => workspace !== 'services/dashboard').map((workspace) =>
    join(ROOT, workspace, 'src'),
  ),
  join(ROOT, 'scripts', 'lib', 'bundle.mjs'),
  join(ROOT, 'package-lock.json'),
];

/** What is needed beside the bundles: a script of BullMQ, and the pages of Bull Board, which it finds beside itself. */
export const LOOKED_FOR_AS_FILES = ['bullmq', '@bull-board/api', '@bull-board/express'];

/** Looked for by MongoDB's driver, which goes on without them. */
const OPTIONAL = [
  '@aws-sdk/credential-providers',
  '@mongodb-js/zstd',
  'aws4',
  'gcp-metadata',
  'kerberos',
  'mongodb-client-encryption',
  'snappy',
  'socks',
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
    external: ['@bull-board/*', ...OPTIONAL],
    // What is not a module yet asks for Node's own parts by `require`.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';const require = requireOf(import.meta.url);",
    },
    // No indentation and no comments, a third of the text, which V8 keeps for as long as the process lives. Lines stay
    // short, for stack traces name them.
    minifyWhitespace: true,
    lineLimit: 120,
    metafile: true,
    write: false,
    logLevel: 'warning',
  };
}

const BUNDLES = Object.entries(ENTRIES).flatMap(([workspace, names]) =>
  names.map((name) => join(ROOT, workspace, 'dist', `${name}.js`)),
);

/** Whether no source has changed since all was bundled. */
export function isBundled() {
  return areNewerThan(BUNDLES, MADE_OF);
}

/** Bundles everything that runs as a process. Rejects, having said why, where that cannot be done. */
export async function bundle() {
  const startedAt = new Date();
  const { build } = await import('esbuild');
  await Promise.all(
    Object.keys(ENTRIES).map(async (workspace) => {
      const { outputFiles, metafile } = await build(optionsOf(workspace));
      put(workspace, outputFiles);
      writeFileSync(join(ROOT, workspace, 'dist', 'licences.md'), licencesOf(Object.keys(metafile.inputs)));
    }),
  );
  // What changed meanwhile is newer.
  for (const file of BUNDLES) utimesSync(file, new Date(), startedAt);
}

/** The same again whenever a source changes, until `stop`; `onBundled` is called each time that it worked. */
export async function keepBundling(onBundled) {
  const { context } = await import('esbuild');
  const told = (workspace) => ({
    name: 'told',
    setup(build) {
      // The first time is the start, and no change.
      let isFirst = true;
      build.onEnd(({ errors, outputFiles }) => {
        if (errors.length === 0) put(workspace, outputFiles);
        if (errors.length === 0 && !isFirst) onBundled();
        isFirst = false;
      });
    },
  });
  const contexts = await Promise.all(
    Object.keys(ENTRIES).map((workspace) => context({ ...optionsOf(workspace), plugins: [told(workspace)] })),
  );
  await Promise.all(contexts.map((one) => one.watch()));
  return { stop: () => Promise.all(contexts.map((one) => one.dispose())) };
}

/**
 * A single character outside ASCII has V8 keep the whole source with two bytes a character, for as long as the process
 * lives: 8 MB more for an ingress. esbuild has escaped those in texts, and left those in comments.
 */
function asciiOf(source) {
  return source.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Puts files in place whole, as a process may be starting from them: entries, which name the chunks, after these. */
function put(workspace, files) {
  const dist = join(ROOT, workspace, 'dist');
  mkdirSync(dist, { recursive: true });
  const isEntry = ({ path }) => ENTRIES[workspace].includes(basename(path, '.js'));
  for (const file of files.toSorted((a, b) => isEntry(a) - isEntry(b))) {
    // A chunk has a name that changes with what is in it.
    if (!isEntry(file) && existsSync(file.path)) continue;
    writeFileSync(`${file.path}.new`, asciiOf(file.text));
    renameSync(`${file.path}.new`, file.path);
  }
  const names = files.map(({ path }) => basename(path));
  for (const name of readdirSync(dist))
    if (name.endsWith('.js') && !names.includes(name)) rmSync(join(dist, name));
}
