import type { ReplicaState } from '@sluice/monitoring/replicas';
import { expect } from 'chai';
import { judgeProcesses } from '../../services/cli/src/doctor/judge-processes.ts';

describe('sluice doctor: the processes', () => {
  const NOW = 1_000_000;
  const replica = (kind: ReplicaState['kind'], more: Partial<ReplicaState> = {}): ReplicaState => ({
    ...{ replica_id: 'a', kind, host: 'host', pid: 7, trouble: null, started_at: 0, last_seen_at: NOW },
    ignores_proxy: false,
    ...more,
  });
  const others = [replica('ingress'), replica('dispatcher'), replica('api')];

  it('are well if one of each kind works, even if another has just been killed', () => {
    const killed = replica('worker', { pid: 8, last_seen_at: NOW - 20_000 });
    const found = judgeProcesses([...others, replica('worker'), killed], NOW);
    expect(found).to.include({ result: 'ok', fix: null });
    expect(found.detail).to.equal(
      'worker 8 on host has not reported for 20 s; working: ingress 1, worker 1, dispatcher 1, api 1',
    );
  });

  it('are a problem if the only one of a kind is silent or missing', () => {
    const silent = replica('worker', { last_seen_at: NOW - 11_000 });
    for (const replicas of [others, [...others, silent]]) {
      const found = judgeProcesses(replicas, NOW);
      expect(found.result).to.equal('problem');
      expect(found.detail).to.match(/^no worker works;/);
    }
  });

  it('are a problem if the clock of one is ahead of that of Redis', () => {
    const ahead = replica('ingress', { pid: 9, last_seen_at: NOW + 600_000 });
    const found = judgeProcesses([...others, replica('worker'), ahead], NOW);
    expect(found.result).to.equal('problem');
    expect(found.detail).to.match(/^ingress 9 on host: its clock is 600 s ahead of Redis's;/);
  });

  it('are a problem if one is in trouble, with its reason', () => {
    const closed = replica('ingress', { pid: 9, trouble: 'redis_nearly_full' });
    const found = judgeProcesses([...others, replica('worker'), closed], NOW);
    expect(found.result).to.equal('problem');
    expect(found.detail).to.match(/^ingress 9 on host: redis_nearly_full;/);
  });
});
