import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { newFolder } from '../support/folder.ts';
import { FOLDER, readManifests } from './support/manifests.ts';

const run = promisify(execFile);
/** It contains the schemas of each version of Kubernetes, with unknown fields forbidden. */
const TOOL = 'kubernetes-validate==1.37.0';
const VERSIONS = ['1.27.0', '1.32.0', '1.37.0'];
/** The schemas of Kubernetes do not describe KEDA's scalers. */
const CHECKED = [...readManifests()].filter(([, resources]) =>
  resources.every(({ kind }) => kind !== 'ScaledObject'),
);
const FILES = CHECKED.map(([file]) => FOLDER + file);
const RESOURCES = CHECKED.flatMap(([, resources]) => resources).length;

describe('the Kubernetes manifests', function () {
  this.timeout(180_000);
  let dir: string;
  before(async function () {
    dir = newFolder();
    try {
      await run('python3', ['-m', 'venv', dir]);
      const install = ['install', '--quiet', '--disable-pip-version-check', TOOL];
      await run(join(dir, 'bin', 'pip'), install, { timeout: 120_000 });
    } catch {
      process.stderr.write(`${TOOL} is not run: Python, its venv module or PyPI is not available here.\n`);
      this.skip();
    }
  });

  const validate = (version: string, files: readonly string[]) =>
    run(join(dir, 'bin', 'kubernetes-validate'), ['--strict', '-k', version, ...files]);

  for (const version of VERSIONS)
    it(`match the schemas of Kubernetes ${version}`, async () => {
      const { stdout, stderr } = await validate(version, FILES);
      expect(`${stdout}${stderr}`.match(/passed for resource/g)).to.have.lengthOf(RESOURCES);
    });
});
