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
  const offenders = (wrong: (one: Import) => boolean) =>
    imports.filter(wrong).map(({ file, from }) => `${file}: ${from}`);

  it('are found', () => {
    expect(imports.length).to.be.above(200);
  });

  for (const [library, workspace] of Object.entries(KNOWN_BY)) {
    it(`of ${library} are in ${workspace} only`, () => {
      const isIt = isPackage(library);
      expect(offenders((one) => isIt(one.from) && one.workspace !== workspace)).to.deep.equal([]);
    });
  }

  it('of prom-client are behind one file', () => {
    const isIt = isPackage('prom-client');
    expect(
      offenders((one) => isIt(one.from) && one.file !== 'packages/runtime/src/telemetry/metrics.ts'),
    ).to.deep.equal([]);
  });

  it('of packages/contract are only zod and modules of Node that do no I/O', () => {
    const pure = ['zod', 'node:buffer', 'node:crypto'];
    const allowed = (from: string) => from.startsWith('.') || pure.includes(from);
    expect(offenders((one) => one.workspace === 'packages/contract' && !allowed(one.from))).to.deep.equal([]);
  });

  it('reach another workspace only through its package', () => {
    const leaves = ({ file, workspace, from }: Import) =>
      from.startsWith('.') && relative(workspace, join(file, '..', from)).startsWith('..');
    expect(offenders(leaves)).to.deep.equal([]);
  });

  it('of a service occur in no package and no other service', () => {
    const services = readdirSync(join(ROOT, 'services')).map((name) => isPackage(`@sluice/${name}`));
    expect(offenders(({ from }) => services.some((isIt) => isIt(from)))).to.deep.equal([]);
  });

  it('of a tool occur in no package and no service', () => {
    const tools = readdirSync(join(ROOT, 'tools')).map((name) => isPackage(`@sluice/${name}`));
    const isTool = (workspace: string) => workspace.startsWith('tools/');
    expect(
      offenders(({ workspace, from }) => !isTool(workspace) && tools.some((isIt) => isIt(from))),
    ).to.deep.equal([]);
  });

  for (const [folder, allowed] of [
    ['packages/dashboard-api/', /^(?:\.|zod$|@sluice\/contract\/)/],
    ['packages/import/src/calendar/', /^(?:\.\/|windows-iana$|@sluice\/contract\/)/],
    [
      'packages/import/src/read/',
      /^(?:\.\/|\.\.\/calendar\/|papaparse$|@sluice\/(?:contract|dashboard-api)\/)/,
    ],
  ] as const) {
    it(`of ${folder} match ${allowed}, because the browser loads it`, () => {
      expect(offenders(({ file, from }) => file.startsWith(folder) && !allowed.test(from))).to.deep.equal([]);
    });
  }

  it('of packages/sdk are its two dependencies, because it is published and runs in browsers', () => {
    const allowed = /^(?:\.|openapi-fetch$|standardwebhooks$)/;
    expect(offenders((one) => one.workspace === 'packages/sdk' && !allowed.test(one.from))).to.deep.equal([]);
  });

  it('of the stages of the ingress name no transport', () => {
    const isStage = (file: string) =>
      /^services\/ingress\/src\/(?:receive|verify|admit|enqueue|answer|gate)\//.test(file);
    const isTransport = (from: string) => from.startsWith('../http/') || from === 'express';
    expect(offenders(({ file, from }) => isStage(file) && isTransport(from))).to.deep.equal([]);
  });

  it('of tools/machine are only modules of Node and the identity of a process', () => {
    const wrong = ({ workspace, from }: Import) =>
      workspace === 'tools/machine' && !/^(?:node:|\.|@sluice\/runtime\/process-identity$)/.test(from);
    expect(offenders(wrong)).to.deep.equal([]);
  });

  it('never connect Sluice and the embedded store: Sluice knows only its address', () => {
    const isIt = isPackage('@sluice/embedded-mongodb');
    expect(offenders((one) => isIt(one.from))).to.deep.equal([]);
    const knows = (one: Import) =>
      one.workspace === 'tools/embedded-mongodb' && /^@sluice\/(?!machine\/)/.test(one.from);
    expect(offenders(knows)).to.deep.equal([]);
  });
});
