import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { licencesOf } from './bundled-licences.mjs';
import { areNewerThan } from './newer.mjs';
import { ROOT } from './run.mjs';
import { WORKSPACES } from './workspaces.mjs';

/** The entry points of each process, and those that scripts need before any process runs. */
const ENTRIES = {
  'tools/embedded-mongodb': ['main'],
  'services/api': ['main'],
  'services/cli': ['main'],
  'services/dispatcher': ['main'],
  'services/ingress': ['main'],
  'tools/launcher': ['main', 'redis-binary'],
  'services/worker': ['main'],
};

/** Sources that a bundle may contain. */
const MADE_OF = [
  ...WORKSPACES.filter((workspace) => workspace !== 'services/dashboard').map((workspace) =>
    join(ROOT, workspace, 'src'),
  ),
  join(ROOT, 'scripts', 'lib', 'bundle.mjs'),
  join(ROOT, 'package-lock.json'),
];

/** Packages read as files beside the bundles: a script of BullMQ, and the viewer of the API reference. */
export const LOOKED_FOR_AS_FILES = ['bullmq', 'swagger-ui-dist'];

/** MongoDB's driver looks for these and works without them. */
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

/** The commit that is built, for packages/runtime/src/version.ts: that of the image build, or of git. */
function revision() {
  const { REVISION } = process.env;
  if (REVISION) return REVISION;
  const asked = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return asked.status === 0 ? asked.stdout.trim() : 'unknown';
}

/**
 * A bundle is one file instead of some thousand, so a process starts in half of the time. Bundles and lazy chunks are as
 * deep below the root as `src/main.ts`, because the code uses `import.meta.url`.
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
    // Sluice's packages resolve to their sources.
    conditions: ['source'],
    define: { SLUICE_REVISION: JSON.stringify(revision()) },
    external: OPTIONAL,
    // CommonJS packages load Node's modules with `require`.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';const require = requireOf(import.meta.url);",
    },
    // Removes indentation and comments, a third of the text that V8 keeps while the process lives. Lines stay short,
    // because stack traces name them.
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

/** Whether no source has changed since the last bundling. */
export function isBundled() {
  return areNewerThan(BUNDLES, MADE_OF);
}

/**
 * Without it esbuild spends 40 % of its CPU time on its garbage, although it ends soon. The limit is about what all bundles
 * need, so that a small machine does not need more.
 */
const RARE_COLLECTION = { GOGC: 'off', GOMEMLIMIT: '1500MiB' };

/** Bundles every process. If it fails, prints the reason and rejects. */
export async function bundle() {
  const startedAt = new Date();
  const { build, stop } = await import('esbuild');
  const bundleOne = async (workspace) => {
    const { outputFiles, metafile } = await build(optionsOf(workspace));
    put(workspace, outputFiles);
    writeFileSync(join(ROOT, workspace, 'dist', 'licences.md'), licencesOf(Object.keys(metafile.inputs)));
  };
  // The first call starts the process of esbuild, with the environment of that moment.
  const before = { ...process.env };
  Object.assign(process.env, { ...RARE_COLLECTION, ...before });
  const building = Promise.all(Object.keys(ENTRIES).map(bundleOne));
  for (const name of Object.keys(RARE_COLLECTION)) if (before[name] === undefined) delete process.env[name];
  try {
    await building;
  } finally {
    // Otherwise it lives as long as this process, with more than a gigabyte.
    await stop();
  }
  // A source that changed meanwhile counts as newer.
  for (const file of BUNDLES) utimesSync(file, new Date(), startedAt);
}

/** Bundles again whenever a source changes, until `stop`. Calls `onBundled` after each success. */
export async function keepBundling(onBundled) {
  const { context } = await import('esbuild');
  const told = (workspace) => ({
    name: 'told',
    setup(build) {
      // The first call belongs to the start, not to a change.
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
 * Escapes the characters outside ASCII that esbuild leaves in comments. With a single one of them, Node 20 keeps the whole
 * source with two bytes a character: 8 MB more for an ingress. On Node 26, the image's, it makes no difference.
 */
function asciiOf(source) {
  return source.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Renames complete files into place, because a process may start from them. Entries follow the chunks that they name. */
function put(workspace, files) {
  const dist = join(ROOT, workspace, 'dist');
  mkdirSync(dist, { recursive: true });
  const isEntry = ({ path }) => ENTRIES[workspace].includes(basename(path, '.js'));
  for (const file of files.toSorted((a, b) => isEntry(a) - isEntry(b))) {
    // The name of a chunk changes with its content.
    if (!isEntry(file) && existsSync(file.path)) continue;
    writeFileSync(`${file.path}.new`, asciiOf(file.text));
    renameSync(`${file.path}.new`, file.path);
  }
  const names = files.map(({ path }) => basename(path));
  for (const name of readdirSync(dist))
    if (name.endsWith('.js') && !names.includes(name)) rmSync(join(dist, name));
}
