import type { NotedPart } from '@sluice/store/imports/lead-imports';
import { expect } from 'chai';
import { useStore } from './support.ts';

const part = (rest: Partial<NotedPart> = {}): NotedPart => ({
  ...{ account_id: 'acc_1', import_id: 'import_1', first_row: 2, last_row: 3, file_name: 'crm.csv' },
  ...{ by: 'ada@example.com', at: 1_795_250_000_000, lead_ids: ['lead_1', 'lead_2'] },
  new_ids: [],
  ...rest,
});

describe('imports of leads in the store', () => {
  const used = useStore();

  it('joins the parts of an import in the order of their rows, and lists a lead once', async () => {
    const { leadImports } = used.store;
    await leadImports.notePart(part({ first_row: 4, last_row: 5, lead_ids: ['lead_2', 'lead_3'] }));
    await leadImports.notePart(part());
    const found = await leadImports.findImport('acc_1', 'import_1');
    expect(found).to.deep.include({ first_row: 2, last_row: 5, undone_at: null, file_name: 'crm.csv' });
    expect(found?.lead_ids).to.deep.equal(['lead_1', 'lead_2', 'lead_3']);
    expect(await leadImports.findImport('acc_2', 'import_1'), 'of another account').to.equal(undefined);
  });

  it('a repeated part keeps the leads of the first, and stays undone', async () => {
    const { leadImports } = used.store;
    const one = part({ account_id: 'acc_3' });
    expect(await leadImports.notePart(one)).to.equal(false);
    await leadImports.markUndone('acc_3', 'import_1', 1_795_250_001_000);
    expect(await leadImports.notePart({ ...one, lead_ids: ['lead_9', 'lead_2'], last_row: 4 })).to.equal(
      true,
    );
    const found = await leadImports.findImport('acc_3', 'import_1');
    expect(found).to.deep.include({ last_row: 4, undone_at: 1_795_250_001_000 });
    expect(found?.lead_ids).to.have.members(['lead_1', 'lead_2', 'lead_9']);
  });

  it('has the leads that the rows may make, until they have made or matched others', async () => {
    const { leadImports } = used.store;
    const one = part({ account_id: 'acc_5', lead_ids: [] });
    await leadImports.notePart({ ...one, new_ids: ['lead_1', 'lead_2'] });
    const idsNow = async () => (await leadImports.findImport('acc_5', 'import_1'))?.lead_ids;
    expect(await idsNow()).to.have.members(['lead_1', 'lead_2']);
    await leadImports.notePart({ ...one, lead_ids: ['lead_1', 'lead_7'] });
    expect(await idsNow()).to.have.members(['lead_1', 'lead_7']);
  });

  it('reads a part of a version that stored no leads apart', async () => {
    const { new_ids: _, at, ...old } = part({ account_id: 'acc_6' });
    const document = {
      _id: 'acc_6/import_1/2',
      ...old,
      schema_version: 1,
      at: new Date(at),
      undone_at: null,
    };
    await used.mongo.db.collection<{ _id: string }>('lead_imports').insertOne(document);
    const found = await used.store.leadImports.findImport('acc_6', 'import_1');
    expect(found?.lead_ids).to.deep.equal(['lead_1', 'lead_2']);
  });

  it('returns the last import of the account', async () => {
    const { leadImports } = used.store;
    expect(await leadImports.lastImport('acc_4')).to.equal(undefined);
    await leadImports.notePart(part({ account_id: 'acc_4', import_id: 'import_2', at: 1_795_250_002_000 }));
    await leadImports.notePart(part({ account_id: 'acc_4', import_id: 'import_1' }));
    expect((await leadImports.lastImport('acc_4'))?.import_id).to.equal('import_2');
  });
});
