import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readNamesOfMachine } from '@sluice/egress/names-of-machine';
import { createResolve, createResolveFor } from '@sluice/egress/resolve';
import { expect } from 'chai';
import { newFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { type NameAnswer, startNameServer } from './support/name-server.ts';

describe('egress: the lookup of a host name', () => {
  const folder = newFolder();
  const names = use(() => startNameServer((name) => answers[name] ?? 'unknown'));
  let answers: Record<string, NameAnswer | Promise<NameAnswer>>;
  before(async () => {
    await writeFile(join(folder, 'hosts'), '10.1.2.3 Printer.lan printer # upstairs\n::1 printer\n');
    await writeFile(join(folder, 'resolv.conf'), 'nameserver 192.0.2.1\nsearch shop.test other.test\n');
  });
  const resolver = (waitMs?: number) => {
    const readNames = () => readNamesOfMachine(folder);
    return createResolve({ servers: [names.address], readNames, ...(waitMs !== undefined && { waitMs }) });
  };
  const codeOf = (lookup: Promise<unknown>) =>
    lookup.then(
      () => 'found',
      ({ code }) => code,
    );

  it('reads the hosts file, localhost, the search domains and both families', async () => {
    answers = { 'both.test': ['::1', '192.0.2.7'], 'api.shop.test': ['192.0.2.8'], 'six.test': ['::1'] };
    const resolve = resolver();
    const addresses = async (name: string) => (await resolve(name)).map(({ address }) => address);
    expect(await addresses('printer')).to.deep.equal(['10.1.2.3', '::1']);
    expect(await addresses('PRINTER.lan')).to.deep.equal(['10.1.2.3']);
    expect(await addresses('localhost')).to.deep.equal(['127.0.0.1', '::1']);
    expect(await addresses('both.test')).to.deep.equal(['192.0.2.7', '::1']);
    expect(await addresses('six.test')).to.deep.equal(['::1']);
    expect(await addresses('api')).to.deep.equal(['192.0.2.8']);
    expect(await codeOf(resolve('nowhere.test'))).to.equal('ENOTFOUND');
  });

  it('blames the name servers only if they have answered for no other name', async () => {
    answers = { 'lame.test': 'failed', 'known.test': ['192.0.2.7'] };
    const resolve = resolver();
    expect(await codeOf(resolve('lame.test'))).to.equal('NAME_SERVERS_AWAY');
    expect(await codeOf(resolve('known.test'))).to.equal('found');
    expect(await codeOf(resolve('lame.test'))).to.equal('EAI_AGAIN');
  });

  it('is one for callers at the same time, and its late answer is that of the next caller', async () => {
    let end = (_answer: NameAnswer) => {};
    answers = {
      'slow.test': new Promise((answer) => {
        end = answer;
      }),
    };
    const patient = resolver(60_000);
    const both = [patient('slow.test'), patient('slow.test')];
    const resolve = resolver(50);
    expect(await codeOf(resolve('slow.test'))).to.equal('NAME_SERVERS_AWAY');
    end(['192.0.2.7']);
    const [one, other] = await Promise.all(both);
    expect(one).to.equal(other);
    await until(async () => (await codeOf(resolve('slow.test'))) === 'found');
    answers = {};
    expect(await codeOf(resolve('slow.test'))).to.equal('found');
  });

  it('is rejected if the account has too many under way', async () => {
    const waiting: (() => void)[] = [];
    const resolveFor = createResolveFor(2, () => new Promise((found) => waiting.push(() => found([]))));
    const [first, second] = ['one.test', 'two.test'].map(resolveFor('acc_1'));
    expect(await codeOf(resolveFor('acc_1')('three.test'))).to.equal('NAME_SERVERS_AWAY');
    const other = resolveFor('acc_2')('three.test');
    for (const answer of waiting) answer();
    await Promise.all([first, second, other]);
    const again = resolveFor('acc_1')('three.test');
    waiting.at(-1)?.();
    expect(await codeOf(again)).to.equal('found');
  });
});
