import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';

const ROOT = new URL('../../', import.meta.url).pathname;

interface Import {
  readonly file: string;
  readonly workspace: string;
  readonly from: string;
}

/** Lists the imports of all source files of packages, services and tools. */
function allImports(): readonly Import[] {
  return ['packages', 'services', 'tools'].flatMap((group) =>
    readdirSync(join(ROOT, group)).flatMap((name) => importsOf(`${group}/${name}`)),
  );
}

/** The end of an import or export statement, an import for its effects, an import() call. */
const IMPORT = /^(?:import|export|\}).*\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

function importsOf(workspace: string): readonly Import[] {
  const folder = join(ROOT, workspace, 'src');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const found = text.matchAll(IMPORT);
    return [...found].map((match) => ({
      file: join(workspace, 'src', file),
      workspace,
      from: match[1] ?? match[2] ?? match[3] ?? '',
    }));
  });
}

const isPackage = (name: string) => (from: string) => from === name || from.startsWith(`${name}/`);

/** The one workspace that may import a library. */
const KNOWN_BY: Readonly<Record<string, string>> = {
  bullmq: 'packages/queue',
  mongoose: 'packages/store',
  mongodb: 'packages/store',
  pino: 'packages/runtime',
  'prom-client': 'packages/runtime',
  '@opentelemetry': 'packages/runtime',
  nodemailer: 'packages/mail',
  commander: 'services/cli',
  bson: 'tools/embedded-mongodb',
};

describe('imports', () => {
  const imports = allImports();

  it('are found', () => {
    expect(imports.length).to.be.above(200);
  });

  const services = readdirSync(join(ROOT, 'services')).map((name) => isPackage(`@sluice/${name}`));
  const tools = readdirSync(join(ROOT, 'tools')).map((name) => isPackage(`@sluice/${name}`));
  const isStage = (file: string) =>
    /^services\/ingress\/src\/(?:receive|verify|admit|enqueue|answer|gate)\//.test(file);
  const inWorkspace = (name: string, allowed: RegExp) => (one: Import) =>
    one.workspace === name && !allowed.test(one.from);
  const below = (folder: string, allowed: RegExp) => (one: Import) =>
    one.file.startsWith(folder) && !allowed.test(one.from);

  /** Each rule, and the imports that break it. */
  const RULES: Readonly<Record<string, (one: Import) => boolean>> = {
    'of prom-client are behind one file': ({ from, file }) =>
      isPackage('prom-client')(from) && file !== 'packages/runtime/src/telemetry/metrics.ts',
    'of packages/contract are only zod and modules of Node that do no I/O': inWorkspace(
      'packages/contract',
      /^(?:\.|zod$|node:buffer$|node:crypto$)/,
    ),
    'reach another workspace only through its package': ({ file, workspace, from }) =>
      from.startsWith('.') && relative(workspace, join(file, '..', from)).startsWith('..'),
    'of a service occur in no package and no other service': ({ from }) =>
      services.some((isIt) => isIt(from)),
    'of a tool occur in no package and no service': ({ workspace, from }) =>
      !workspace.startsWith('tools/') && tools.some((isIt) => isIt(from)),
    'of packages/dashboard-api fit a browser, which loads it': below(
      'packages/dashboard-api/',
      /^(?:\.|zod$|@sluice\/contract\/)/,
    ),
    'of calendars fit a browser, which loads them': below(
      'packages/import/src/calendar/',
      /^(?:\.\/|windows-iana$|@sluice\/contract\/)/,
    ),
    'of the readers of files fit a browser, which loads them': below(
      'packages/import/src/read/',
      /^(?:\.\/|\.\.\/calendar\/|papaparse$|@sluice\/(?:contract|dashboard-api)\/)/,
    ),
    'of packages/sdk are its two dependencies, because it is published and runs in browsers': inWorkspace(
      'packages/sdk',
      /^(?:\.|openapi-fetch$|standardwebhooks$)/,
    ),
    'of the stages of the ingress name no transport': ({ file, from }) =>
      isStage(file) && (from.startsWith('../http/') || from === 'express'),
    'of tools/machine are only modules of Node and the identity of a process': inWorkspace(
      'tools/machine',
      /^(?:node:|\.|@sluice\/runtime\/process-identity$)/,
    ),
    'never lead from Sluice to the embedded store: Sluice knows only its address': ({ from }) =>
      isPackage('@sluice/embedded-mongodb')(from),
    'never lead from the embedded store to Sluice': inWorkspace(
      'tools/embedded-mongodb',
      /^(?!@sluice\/)|^@sluice\/machine\//,
    ),
  };
  const ofLibraries = Object.entries(KNOWN_BY).map(([library, workspace]) => [
    `of ${library} are in ${workspace} only`,
    (one: Import) => isPackage(library)(one.from) && one.workspace !== workspace,
  ]) as [string, (one: Import) => boolean][];

  for (const [rule, isWrong] of [...ofLibraries, ...Object.entries(RULES)])
    it(rule, () => {
      const wrong = imports.filter(isWrong).map(({ file, from }) => `${file}: ${from}`);
      expect(wrong).to.deep.equal([]);
    });
});
