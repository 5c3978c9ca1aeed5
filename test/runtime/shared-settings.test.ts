import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@sluice/runtime/config/config';
import { sharedSettings, withSettings } from '@sluice/runtime/config/shared-settings';
import { variables } from '@sluice/runtime/config/variables';
import { expect } from 'chai';
import { useFolder } from '../support/folder.ts';

describe('the settings that commands share with running services', () => {
  const dir = useFolder();

  it('are those that are set, also in a file, and no secret', () => {
    const file = join(dir(), 'plans');
    writeFileSync(file, 'free:5,unlimited\n');
    const env = {
      ...{ PLANS_FILE: file, OUTBOUND_PRIVATE_NETWORKS: ' true ', SUBSCRIPTION_LIMIT: '' },
      ...{ SLUICE_SECRET_KEY: 'key', SMTP_URL: 'smtp://user:password@mail', LOG_LEVEL: 'debug' },
    };
    expect(sharedSettings(env)).to.deep.equal({
      PLANS: 'free:5,unlimited',
      OUTBOUND_PRIVATE_NETWORKS: 'true',
    });
  });

  it('apply where the environment sets nothing', () => {
    const { PLANS, SUBSCRIPTION_LIMIT, OUTBOUND_PRIVATE_NETWORKS } = variables;
    const settings = {
      ...{ PLANS: 'free:5,unlimited', SUBSCRIPTION_LIMIT: '7', OUTBOUND_PRIVATE_NETWORKS: 'true' },
      ...{ DATA_DIR: '/elsewhere' },
    };
    const file = join(dir(), 'own-plans');
    writeFileSync(file, 'free:9,unlimited');
    const env = { PLANS_FILE: file, SUBSCRIPTION_LIMIT: '', OUTBOUND_PRIVATE_NETWORKS: 'false' };
    const merged = withSettings(env, settings);
    expect(merged.DATA_DIR).to.equal(undefined);
    const loaded = loadConfig({ PLANS, SUBSCRIPTION_LIMIT, OUTBOUND_PRIVATE_NETWORKS }, merged);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    expect(loaded.config).to.deep.include({ SUBSCRIPTION_LIMIT: 7, OUTBOUND_PRIVATE_NETWORKS: false });
    expect(loaded.config.PLANS.get('free')).to.equal(9);
  });
});
