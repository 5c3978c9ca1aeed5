import { expect } from 'chai';
import { engine, tell } from './support/containers.ts';

const IMAGE = process.env.SLUICE_IMAGE ?? 'sluice';
const inImage = (command: string) => engine(`run --rm --network none --read-only ${IMAGE} ${command}`);

describe('the production image', function () {
  this.timeout(120_000);

  it('has labels that name it, its version, its licence and its base', async () => {
    const [{ Config }] = JSON.parse(await engine(`inspect ${IMAGE}`));
    const labels = Object.entries(Config.Labels as Record<string, string>).map(([name, value]) => [
      name.replace('org.opencontainers.image.', ''),
      value,
    ]);
    expect(Object.fromEntries(labels)).to.include({
      title: 'Sluice',
      licenses: 'MIT',
      'base.name': 'node:26-slim',
    });
    expect(Object.fromEntries(labels).version).to.equal(
      (await inImage('sluice --version')).trim().split(' ').at(-1),
    );
  });

  it('has a bill of materials that lists what it contains', async () => {
    const bill = JSON.parse(await inImage('cat sluice.cdx.json'));
    expect(bill).to.include({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    expect(bill.components.map(({ name }: { name: string }) => name)).to.include.members([
      'bullmq',
      'mongodb',
      'ioredis',
    ]);
  });

  it('has neither sources, declarations, source maps nor the lock file, and keeps the licences', async () => {
    const files = (await inImage('find /app -type f')).split('\n').filter(Boolean);
    expect(files.filter((path) => /\.(tsx?|map)$|package-lock\.json$|\/test\//.test(path))).to.deep.equal([]);
    expect(files).to.include.members(['/app/LICENSE', '/app/services/ingress/dist/licences.md']);
    expect(files.some((path) => /node_modules\/bullmq\/LICENSE/.test(path))).to.equal(true);
    const kilobytes = Number((await inImage('du -sk /app')).split('\t')[0]);
    tell(`${files.length} files, ${Math.round(kilobytes / 1024)} MiB below /app`);
    expect(files.length).to.be.lessThan(3000);
    expect(kilobytes).to.be.lessThan(52 * 1024);
  });

  it('contains the scripts of BullMQ, and of Swagger UI what the API reference serves', async () => {
    const viewer = await inImage('ls node_modules/swagger-ui-dist');
    expect(viewer)
      .to.contain('swagger-ui-bundle.js')
      .and.to.contain('swagger-ui.css')
      .and.to.contain('LICENSE');
    expect(viewer).not.to.contain('standalone');
    expect(await inImage('node --input-type=module -e "await import(\'bullmq\')"')).to.equal('');
  });
});
