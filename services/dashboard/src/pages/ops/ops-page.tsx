import type { MailboxesDue, Ops } from '@sluice/dashboard-api/ops';
import { REPLICA_KINDS } from '@sluice/dashboard-api/replica-kinds';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { useMay, useMe } from '../../shell/me.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { duration } from '../../ui/time.ts';
import overview from '../overview/overview.module.css';
import { DeadLetters } from './dead-letters.tsx';
import { missingKinds } from './missing-kinds.ts';
import { Operators } from './operators.tsx';
import { ReplicaTable } from './replica-table.tsx';

const REFRESH_MS = 2000;

export function OpsPage() {
  const isOwner = useMay('owner');
  const { operator } = useMe();
  const ops = useRead(ROUTES.ops.show, {}, { everyMs: REFRESH_MS, enabled: isOwner });
  if (!isOwner)
    return (
      <Page title="Ops">
        <Empty icon="ops" title="Only owners can see the state of the installation">
          Ask an owner of the account to look it up.
        </Empty>
      </Page>
    );
  return (
    <Page title="Ops" lead="Processes, queues, and actions that could not be applied.">
      <Loaded query={ops}>
        {(data) => (
          <div className={overview.stack}>
            <OpsFigures ops={data} />
            <Card flush>
              <ReplicaTable replicas={data.replicas} missing={missingKinds(data)} />
            </Card>
            <DeadLetters count={data.dead_letters} partial={data.dead_letters_partial ?? false} />
            {operator && <Operators />}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const QUEUE_WORDS: Readonly<Record<string, string>> = {
  actions: 'Queue of actions',
  refusals: 'Queue of rejections',
};

function OpsFigures({ ops }: { readonly ops: Ops }) {
  const ready = ops.replicas.filter((replica) => replica.ready && !replica.gone).length;
  const oldest = Math.max(...ops.queues.map(({ oldest_waiting_ms: ms }) => ms ?? 0), 0);
  const figures = [
    {
      name: 'Replicas ready',
      value: `${ready} of ${ops.replicas.length + missingKinds(ops).length}`,
      aside: REPLICA_KINDS.join(', '),
    },
    ...ops.queues.map(({ name, waiting, active, delayed }) => ({
      name: QUEUE_WORDS[name] ?? `Queue ${name}`,
      value: waiting.toLocaleString('en'),
      aside: `waiting, ${active.toLocaleString('en')} active, ${delayed.toLocaleString('en')} delayed`,
    })),
    { name: 'Oldest waiting', value: oldest === 0 ? '–' : duration(oldest), aside: 'across all queues' },
    ...(ops.mailboxes === undefined ? [] : [mailboxesFigure(ops.mailboxes)]),
    {
      name: 'Redis memory',
      value: megabytes(ops.redis.used_bytes),
      aside: ops.redis.max_bytes === null ? 'no limit set' : `of ${megabytes(ops.redis.max_bytes)}`,
    },
  ];
  return (
    <dl className={overview.figures}>
      {figures.map(({ name, value, aside }) => (
        <div key={name} className={overview.figure}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          <dd className={overview.aside}>{aside}</dd>
        </div>
      ))}
    </dl>
  );
}

function mailboxesFigure({ due, oldest_due_ms: oldest }: MailboxesDue) {
  const aside = oldest === null ? 'none waits for a dispatcher' : `oldest waits ${duration(oldest)}`;
  return { name: 'Mailboxes due', value: due.toLocaleString('en'), aside };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0)} MiB`;
}
