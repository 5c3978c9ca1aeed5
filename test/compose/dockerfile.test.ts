import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { variables } from '@sluice/runtime/config/variables';
import { expect } from 'chai';
import { ROOT } from '../docs/support.ts';
import { readComposeFile } from './support/compose-file.ts';
import { imageEnvironment, instructionsOf, lastOf, readDockerfile } from './support/dockerfile.ts';

const existing = (path: string) => existsSync(join(ROOT, path));
const services = Object.values(readComposeFile().services);

describe('Dockerfile', () => {
  it('copies only files that exist and that .dockerignore allows', () => {
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
    const copied = readDockerfile()
      .flatMap(({ instructions }) => instructions)
      .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from='))
      .flatMap(({ text }) => text.split(' ').slice(0, -1));
    expect(copied).to.include.members(['packages', 'services', 'tools', 'package-lock.json']);
    expect(copied.filter((path) => !existing(path))).to.deep.equal([]);
    expect(copied.filter((path) => ignored.includes(path))).to.deep.equal([]);
    expect(ignored).to.include.members(['.git', '.env', 'data', '**/node_modules']);
  });

  it('builds every stage in docker-compose.yml, and installs the versions of package-lock.json', () => {
    const targets = services.flatMap(({ build }) => (build === undefined ? [] : [build.target]));
    expect(readDockerfile().map(({ name }) => name)).to.include.members(targets);
    const commands = instructionsOf('build').map(({ text }) => text);
    expect(commands.some((text) => text.includes('npm ci'))).to.equal(true);
    expect(commands.at(-1)).to.include('npm run build');
  });

  it('runs commands whose files exist after bundling', () => {
    const own = ['CMD', 'HEALTHCHECK'].map((name) =>
      execForm(lastOf(name, instructionsOf('production')) ?? ''),
    );
    const composed = services.flatMap(({ command, healthcheck }) => [command, healthcheck?.test ?? []]);
    const files = [...own, ...composed].flat().filter((word) => /\.(m?js|ts)$/.test(word));
    expect(files).to.include.members(['services/ingress/dist/main.js', 'services/worker/dist/main.js']);
    expect(files.filter((path) => !existing(path))).to.deep.equal([]);
  });

  it('builds an image that runs as an unprivileged user and stops on SIGTERM', () => {
    const production = instructionsOf('production');
    expect(lastOf('USER', production)).to.equal('node');
    expect(lastOf('USER', instructionsOf('test'))).to.equal('node');
    expect(lastOf('STOPSIGNAL', production)).to.equal('SIGTERM');
    expect(readDockerfile().at(-1)?.name).to.equal('production');
  });

  it('listens on every interface, on the default ports', () => {
    const { HOST, NODE_ENV, NODE_OPTIONS, ...ports } = imageEnvironment('production');
    expect(NODE_OPTIONS, 'only options that every supported version of Node accepts').to.match(
      /^--max-semi-space-size=\d+$/,
    );
    expect([HOST, NODE_ENV]).to.deep.equal(['0.0.0.0', 'production']);
    for (const [name, value] of Object.entries(ports)) {
      expect(variables[name as keyof typeof variables].parse(undefined), name).to.equal(Number(value));
    }
  });
});

/** The words of a command in exec form. Fails on the shell form, in which signals do not reach the process. */
function execForm(text: string): string[] {
  return JSON.parse(text.replace(/^.*?CMD /, ''));
}
