import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { newFolder } from '../support/folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface LockFile {
  packages: Record<
    string,
    { version: string; dependencies?: Record<string, string>; license?: string; hasInstallScript?: boolean }
  >;
}
interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: unknown[];
  readonly 'bom-ref': string;
}

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as LockFile;
const run = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'scripts', script), ...args], { encoding: 'utf8' });
const components = () => (JSON.parse(run('sbom.mjs').stdout) as { components: Component[] }).components;

describe('dependencies: what ships', () => {
  it('has only allowed licences', () => {
    const { status, stderr } = run('licences.mjs');
    expect(stderr).to.equal('');
    expect(status).to.equal(0);
  });

  it('fails the check if a package has another licence or none, and the check names it', () => {
    const folder = newFolder();
    for (const license of ['GPL-3.0-only', '(GPL-2.0 AND MIT)', undefined]) {
      const file = join(folder, 'package-lock.json');
      const entry = { version: '1.0.0', ...(license && { license }) };
      writeFileSync(file, JSON.stringify({ packages: { 'node_modules/borrowed': entry } }));
      const { status, stderr } = run('licences.mjs', file);
      expect(status).to.equal(1);
      expect(stderr).to.contain(`borrowed@1.0.0: ${license ?? 'no licence named'}`);
    }
  });

  it('is in the bill of materials: each dependency of services and dashboard once, in its locked version', () => {
    const listed = components();
    const versions = new Map(listed.map(({ name, version }) => [name, version]));
    const declared = Object.entries(lock.packages)
      .filter(([path]) => /^(packages|services)\/[\w-]+$/.test(path))
      .flatMap(([, { dependencies = {} }]) => Object.entries(dependencies))
      .filter(([name]) => !name.startsWith('@sluice/'));
    expect(declared.map(([name]) => name)).to.include.members(['bullmq', 'express', 'mongoose', 'react']);
    for (const [name, version] of declared) expect(versions.get(name), name).to.equal(version);
    expect(new Set(listed.map((component) => component['bom-ref'])).size).to.equal(listed.length);
    expect(listed.filter(({ licenses }) => licenses === undefined)).to.deep.equal([]);
  });

  it('contains no tools for tests or builds', () => {
    const names = components().map(({ name }) => name);
    for (const tool of ['mocha', 'vite', 'supertest', 'playwright-core']) expect(names).to.not.include(tool);
  });

  for (const [part, names] of Object.entries({
    dashboard: ['react', 'react-dom', '@mantine/core', 'papaparse'],
    ingress: ['express', 'bullmq', 'ioredis', 'mongoose', 'pino'],
    worker: ['bullmq', 'ioredis', 'mongoose', 'mongodb', 'bson'],
  })) {
    it(`the ${part} includes the licences of its bundled packages`, () => {
      const text = readFileSync(join(ROOT, `services/${part}/dist/licences.md`), 'utf8');
      for (const name of names) expect(text).to.match(new RegExp(`^## ${name} - \\d`, 'm'));
      expect(text).to.contain('Permission is hereby granted');
    });
  }
});

describe('dependencies: the output of npm when it installs them', () => {
  it('mentions no script that needs approval, because each is allowed or denied in advance', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      allowScripts?: Record<string, boolean>;
    };
    const withScripts = Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(withScripts).to.not.be.empty;
    expect(manifest.allowScripts ?? {}).to.have.all.keys([...new Set(withScripts)]);
  });
});
