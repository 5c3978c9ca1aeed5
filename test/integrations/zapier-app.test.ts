import { readFileSync } from 'node:fs';
import { EVENT_KINDS } from '@sluice/contract/message/event-kinds';
import { expect } from 'chai';
import { canInstallPackage } from '../platforms/support/packed.ts';
import { loadZapierApp, type Part, type Row, type Zapier } from '../platforms/support/zapier.ts';
import { reportNotRun } from '../support/report-not-run.ts';

const FOLDER = new URL('../../integrations/zapier/', import.meta.url);
const readJson = (name: string) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));

describe('integrations: the package of the Zapier app', () => {
  it('pins its dependencies, and its lock file names no registry', () => {
    const { dependencies, devDependencies } = readJson('package.json');
    for (const text of Object.values({ ...dependencies, ...devDependencies }))
      expect(text).to.match(/^\d+\.\d+\.\d+$/);
    expect(readFileSync(new URL('package-lock.json', FOLDER), 'utf8')).not.to.match(/"resolved"/);
  });
});

if (canInstallPackage('zapier')) describeApp();
else
  reportNotRun('The tests of the Zapier app', ['zapier-platform-core (npm run test:platforms installs it)']);

function describeApp() {
  describe('integrations: the Zapier app', function () {
    this.timeout(300_000);
    let zapier: Zapier;
    let parts: Part[];
    before(() => {
      zapier = loadZapierApp();
      const { triggers, creates, searches } = zapier.app;
      parts = [triggers, creates, searches].flatMap((one) => Object.values(one));
    });

    const visible = () => parts.filter(({ display }) => display.hidden !== true);
    const inputs = () =>
      parts.flatMap(({ operation }) =>
        (operation.inputFields ?? []).filter((one): one is Row => 'key' in one),
      );

    it('is valid by the schema of Zapier', async () => {
      expect(await zapier.validate()).to.deep.equal([]);
    });

    it('has a hook for every event kind, which subscribes, unsubscribes and lists samples', () => {
      const kinds = EVENT_KINDS.filter(({ subscribable }) => subscribable).map(({ kind }) => kind);
      const keys = [...kinds.map((kind) => kind.replaceAll('.', '_')), 'any_message'];
      const hooks = Object.values(zapier.app.triggers).filter(({ operation }) => operation.type === 'hook');
      expect(hooks.map(({ key }) => key)).to.have.members(keys);
      for (const { key, operation } of hooks)
        for (const name of ['perform', 'performList', 'performSubscribe', 'performUnsubscribe'] as const)
          expect(operation[name], `${key}.${name}`).to.be.a('function');
    });

    it('has a sample with an id, and output fields that are in the sample', () => {
      for (const { key, operation } of visible()) {
        expect(operation.sample, key).to.have.property('id').that.is.a('string');
        for (const field of operation.outputFields)
          expect(isIn(operation.sample, field.key.split('__')), `${key}: ${field.key}`).to.equal(true);
      }
    });

    it('names a hidden trigger in each menu, and a search in each field that can be searched', () => {
      const { triggers, searches } = zapier.app;
      const menus = inputs().filter(({ dynamic }) => dynamic !== undefined);
      expect(menus.map(({ dynamic }) => String(dynamic).split('.')[0])).to.include.members([
        'stages',
        'event_kinds',
        'sources',
        'channels',
      ]);
      for (const { dynamic } of menus) {
        const [key, ...names] = String(dynamic).split('.');
        expect(triggers[key as string]?.display.hidden, String(dynamic)).to.equal(true);
        expect(names).to.deep.equal(['id', 'name']);
      }
      for (const { search } of inputs().filter((field) => field.search !== undefined))
        expect(searches).to.have.property(String(search).replace('.id', ''));
    });

    it('describes each operation in the form that Zapier reviews', () => {
      for (const { key, display } of visible()) {
        expect(display.label, key).to.match(/^[A-Z]/);
        expect(display.description, key).to.match(/\.$/);
      }
      for (const { display } of Object.values(zapier.app.triggers).filter((one) => !one.display.hidden))
        expect(display.description).to.match(/^Triggers when /);
    });

    it('is packed with the compiled code, the contract and its documents only', () => {
      const { files } = zapier.packed;
      expect(files).to.include.members([
        ...['LICENSE', 'README.md', 'package.json', 'index.js', 'contract.json', '.zapierapprc'],
      ]);
      const others = files.filter(
        (path) => !/^(LICENSE|README\.md|contract\.json|index\.js|package\.json|\.zapierapprc)$/.test(path),
      );
      for (const path of others) expect(path).to.match(/^dist\/.+\.js$/);
    });

    it('has the versions of its package', () => {
      const { dependencies, version } = readJson('package.json');
      expect(zapier.app).to.include({ version, platformVersion: dependencies['zapier-platform-core'] });
    });
  });
}

/** Whether a sample has a field. What is inside of null cannot be seen. */
function isIn(sample: unknown, [name, ...rest]: readonly string[]): boolean {
  if (sample === null) return true;
  if (typeof sample !== 'object' || name === undefined || !(name in sample)) return false;
  return rest.length === 0 || isIn((sample as Row)[name], rest);
}
