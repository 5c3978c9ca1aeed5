import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import {
  installNode24,
  n8nToolIsInstalled,
  packN8nNodes,
  runN8nTool,
} from '../platforms/support/programs.ts';
import { reportNotRun } from '../support/report-not-run.ts';

const FOLDER = fileURLToPath(new URL('../../integrations/n8n-nodes-sluice/', import.meta.url));
const description = JSON.parse(readFileSync(`${FOLDER}package.json`, 'utf8'));

describe('integrations: the package n8n-nodes-sluice', () => {
  it('has what n8n asks of a community package', () => {
    expect(description.name).to.match(/^n8n-nodes-/);
    expect(description.keywords).to.include('n8n-community-node-package');
    expect(description.n8n).to.include({ strict: true, n8nNodesApiVersion: 1 });
    // A verified package has no dependencies.
    expect(description).not.to.have.property('dependencies');
    const { credentials, nodes } = description.n8n;
    const sources = [...credentials, ...nodes].map((path: string) =>
      path.replace(/^dist\//, '').replace(/\.js$/, '.ts'),
    );
    for (const path of sources) expect(existsSync(FOLDER + path), path).to.equal(true);
  });

  // Its install has 500 MB, so only a build that requires it installs it.
  if (process.env.SLUICE_REQUIRE_N8N_TOOL || n8nToolIsInstalled()) {
    it("passes n8n's lint", function () {
      this.timeout(600_000);
      runN8nTool(installNode24(), 'lint');
    });

    it('contains what was built, its licence and its README, and nothing else', function () {
      this.timeout(600_000);
      const { files } = packN8nNodes(installNode24());
      expect(files).to.include.members([
        ...['LICENSE', 'README.md', 'package.json', ...description.n8n.nodes, ...description.n8n.credentials],
        ...['dist/icons/sluice.svg', 'dist/icons/sluice.dark.svg'],
      ]);
      const others = files.filter((path) => !/^(dist\/|LICENSE$|README\.md$|package\.json$)/.test(path));
      expect(others).to.deep.equal([]);
    });
  } else
    reportNotRun('The build and the lint of the n8n package', [
      "n8n's tool (npm run test:platforms installs it)",
    ]);
});
