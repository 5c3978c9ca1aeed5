import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeProblems, loadConfig } from '@sluice/runtime/config/config';
import { variables } from '@sluice/runtime/config/variables';
import { expect } from 'chai';
import { useFolder } from '../support/folder.ts';

const shape = {
  INGRESS_PORT: variables.INGRESS_PORT,
  REDIS_URL: variables.REDIS_URL,
  SLUICE_SECRET_KEY: variables.SLUICE_SECRET_KEY,
};
const KEY = Buffer.alloc(32, 7);
const good = { REDIS_URL: 'redis://localhost:6379', SLUICE_SECRET_KEY: KEY.toString('base64') };

describe('configuration', () => {
  const dir = useFolder();

  it('is read from the environment, with defaults', () => {
    const result = loadConfig(shape, good);
    if (!result.ok) throw new Error(describeProblems(result.problems));
    expect(result.config.INGRESS_PORT).to.equal(8080);
    expect(result.config.REDIS_URL).to.equal('redis://localhost:6379');
    expect(result.config.SLUICE_SECRET_KEY.equals(KEY)).to.equal(true);
  });

  it('treats an empty or blank variable as not set', () => {
    const result = loadConfig(shape, { ...good, INGRESS_PORT: ' ' });
    expect(result.ok && result.config.INGRESS_PORT).to.equal(8080);
  });

  it('reports every wrong variable at once, with its description', () => {
    const result = loadConfig(shape, { INGRESS_PORT: '99999', SLUICE_SECRET_KEY: 'short' });
    if (result.ok) throw new Error('accepted');
    expect(result.problems.map(({ variable }) => variable)).to.deep.equal(Object.keys(shape));
    const text = describeProblems(result.problems);
    expect(text).to.include('INGRESS_PORT: must be a port number from 0 to 65535');
    expect(text).to.include('REDIS_URL: is not set (Redis 7');
  });

  it('rejects a Redis Cluster password that is not percent-encoded, with that reason, and does not show it', () => {
    const result = loadConfig(shape, { ...good, REDIS_URL: 'redis+cluster://:hunter2%@a:7000' });
    if (result.ok) throw new Error('accepted');
    expect(describeProblems(result.problems))
      .to.include('REDIS_URL: cannot be read: must be redis://host:port')
      .and.include('percent-encoded')
      .and.not.include('hunter2');
  });

  it('never shows the value of a rejected secret key', () => {
    const result = loadConfig(shape, { ...good, SLUICE_SECRET_KEY: 'hunter2' });
    if (result.ok) throw new Error('accepted');
    expect(describeProblems(result.problems)).not.to.include('hunter2');
  });

  it('reads NAME_FILE, the form of Docker secrets', () => {
    const file = join(dir(), 'key');
    writeFileSync(file, `${KEY.toString('hex')}\n`);
    const result = loadConfig(shape, { REDIS_URL: good.REDIS_URL, SLUICE_SECRET_KEY_FILE: file });
    expect(result.ok && result.config.SLUICE_SECRET_KEY.equals(KEY)).to.equal(true);
  });

  it('rejects NAME together with NAME_FILE, and an unreadable file', () => {
    const both = loadConfig(shape, { ...good, REDIS_URL_FILE: join(dir(), 'none') });
    const missing = loadConfig(shape, { ...good, REDIS_URL: '', REDIS_URL_FILE: join(dir(), 'none') });
    expect(!both.ok && both.problems[0]?.detail).to.equal('set either REDIS_URL or REDIS_URL_FILE, not both');
    expect(!missing.ok && missing.problems[0]?.detail).to.include('cannot read the file: ENOENT');
  });
});
