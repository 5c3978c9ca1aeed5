import { SECOND_MS } from '@sluice/contract/time/durations';
import { REPLICA_KINDS } from '@sluice/dashboard-api/replica-kinds';
import { GONE_MS, type ReplicaState } from '@sluice/monitoring/replicas';
import { type Finding, ok, problem } from './finding.ts';

/** From here on SluiceClockOff fires. Milliseconds. */
const CLOCK_OFF_MS = 10 * SECOND_MS;

/** Judges the last reports of all processes. `now`: milliseconds since the Unix epoch. */
export function judgeProcesses(replicas: readonly ReplicaState[], now: number): Finding {
  if (replicas.length === 0)
    return problem(
      'processes',
      'none has reported within a minute',
      'Start the services. If they run, set SLUICE_NAMESPACE and REDIS_URL to their values.',
    );
  const aheadMs = ({ last_seen_at }: ReplicaState) => last_seen_at - now;
  const isGone = ({ last_seen_at }: ReplicaState) => now - last_seen_at > GONE_MS;
  const present = replicas.filter((one) => !isGone(one));
  const counts = REPLICA_KINDS.map((kind) => ({
    kind,
    working: present.filter((one) => one.kind === kind && one.trouble === null).length,
  }));
  const troubles = [
    ...counts.filter(({ working }) => working === 0).map(({ kind }) => `no ${kind} works`),
    ...present.filter(({ trouble }) => trouble !== null).map((one) => `${nameOf(one)}: ${one.trouble}`),
    ...present
      .filter((one) => aheadMs(one) > CLOCK_OFF_MS)
      .map(
        (one) => `${nameOf(one)}: its clock is ${Math.round(aheadMs(one) / SECOND_MS)} s ahead of Redis's`,
      ),
  ];
  const silent = replicas
    .filter(isGone)
    .map(
      (one) => `${nameOf(one)} has not reported for ${Math.round((now - one.last_seen_at) / SECOND_MS)} s`,
    );
  const working = counts.map((one) => `${one.kind} ${one.working}`).join(', ');
  const detail = [...troubles, ...silent, `working: ${working}`].join('; ');
  return troubles.length === 0
    ? ok('processes', detail)
    : problem(
        'processes',
        detail,
        'Start what is missing, and read the logs of those in trouble. docs/operations.md has each reason.',
      );
}

function nameOf({ kind, host, pid }: ReplicaState): string {
  return `${kind} ${pid} on ${host}`;
}
