import { expect } from 'chai';
import { runSluice, SLUICE } from './support/run-node.ts';
import { useN8n } from './support/use-n8n.ts';

const LEADS = 1100;
const CONCURRENT = 10;

describe('n8n: lists of more than one page', function () {
  this.timeout(240_000);
  const at = useN8n();
  const throughout: string[] = [];
  const addLead = (n: number | string, tag: string) =>
    at.account.call<{ id: string }>(at.key, 'POST', '/leads', {
      email: `${tag}${n}@example.com`,
      tags: [tag],
    });
  before(async function () {
    this.timeout(240_000);
    const numbers = Array.from({ length: LEADS }, (_, n) => n).values();
    const writing = async () => {
      for (const n of numbers) throughout.push((await addLead(n, 'many')).id);
    };
    await Promise.all(Array.from({ length: CONCURRENT }, writing));
  });

  const many = (more: object) =>
    runSluice(at, { resource: 'lead', operation: 'getAll', filters: { tag: 'many' }, ...more });

  it('return each lead once with Return All, while other leads are written', async () => {
    let reading = true;
    let written = 0;
    const writing = async () => {
      // A loaded machine may respond with 503. Those leads do not count.
      while (reading)
        await addLead(`new${++written}`, 'many').catch(() => {
          written -= 1;
        });
    };
    const reads = many({ returnAll: true }).finally(() => {
      reading = false;
    });
    const [{ items, error }] = await Promise.all([reads, writing()]);
    expect(error?.message).to.equal(undefined);
    const ids = (items[SLUICE] ?? []).map(({ id }) => id as string);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).to.include.members(throughout);
    expect(written).to.be.above(0);
  });

  it('end at the limit', async () => {
    const { items } = await many({ returnAll: false, limit: 207 });
    expect(items[SLUICE]).to.have.length(207);
  });
});
