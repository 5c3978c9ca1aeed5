import type { Ops, Replica, SubscriptionsDue } from '@sluice/dashboard-api/ops';
import { REPLICA_KINDS, type ReplicaKind } from '@sluice/dashboard-api/replica-kinds';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { useMay, useMe } from '../../shell/me.tsx';
import { Ago } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Table } from '../../ui/table.tsx';
import { duration } from '../../ui/time.ts';
import overview from '../overview/overview.module.css';
import { DeadLetters } from './dead-letters.tsx';
import classes from './ops.module.css';

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
          <div className="stack">
            <OpsFigures ops={data} />
            <Card flush>
              <ReplicaTable replicas={data.replicas} missing={missingKinds(data)} />
            </Card>
            <DeadLetters count={data.dead_letters} partial={data.dead_letters_partial} />
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
    ...(ops.subscriptions === undefined ? [] : [subscriptionsFigure(ops.subscriptions)]),
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

function subscriptionsFigure({ due, oldest_due_ms: oldest }: SubscriptionsDue) {
  const aside = oldest === null ? 'none waits for a dispatcher' : `oldest waits ${duration(oldest)}`;
  return { name: 'Subscriptions due', value: due.toLocaleString('en'), aside };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0)} MiB`;
}

/** Lists the operators. Only operators see this list. */
function Operators() {
  const operators = useRead(ROUTES.ops.operators, {});
  return (
    <Card title="Operators">
      <p className="dimmed">
        Operators see here how many messages of all accounts wait for webhooks. Grant or revoke with the
        command line: <code>sluice operator grant EMAIL</code>, <code>sluice operator revoke EMAIL</code>.
      </p>
      <Loaded query={operators}>
        {({ items }) => (
          <Table
            items={items}
            keyOf={({ user_id }) => user_id}
            className={classes.inset}
            columns={[
              {
                head: 'Name',
                label: null,
                cell: ({ name, self }) => (
                  <>
                    {name} {self && <Chip tone="info">you</Chip>}
                  </>
                ),
              },
              { head: 'Email', cell: ({ email }) => email },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}

/** A kind of process that nothing has reported for a minute. */
interface MissingKind {
  readonly kind: ReplicaKind;
  /** Whether the other figures show that its work is not done. */
  readonly isSure: boolean;
  /** Says in a sentence what it means. */
  readonly meaning: string;
}

/**
 * The kinds without a process. A killed process is listed as gone for a minute, then it is forgotten. Without this list, everything
 * would look well again.
 */
function missingKinds({ replicas, undispatched }: Pick<Ops, 'replicas' | 'undispatched'>): MissingKind[] {
  const present = new Set(replicas.map(({ kind }) => kind));
  return REPLICA_KINDS.filter((kind) => !present.has(kind)).map((kind) => describe(kind, undispatched));
}

function describe(kind: ReplicaKind, undispatched: boolean): MissingKind {
  switch (kind) {
    case 'ingress':
      return { kind, isSure: true, meaning: 'Senders get no response until one starts.' };
    case 'worker':
      return { kind, isSure: true, meaning: 'Accepted requests wait until one starts.' };
    case 'dispatcher':
      return {
        kind,
        isSure: undispatched,
        meaning: undispatched ? 'Messages to receivers wait until one starts.' : 'No message is overdue.',
      };
    case 'api':
      return { kind, isSure: false, meaning: 'This page comes from one, so it cannot write to Redis.' };
  }
}

interface ReplicaTableProps {
  readonly replicas: readonly Replica[];
  readonly missing: readonly MissingKind[];
}

function ReplicaTable({ replicas, missing }: ReplicaTableProps) {
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th>Replica</th>
          <th>Kind</th>
          <th>Health</th>
          <th>Running since</th>
          <th>Last heartbeat</th>
        </tr>
      </thead>
      <tbody>
        {replicas.map((replica) => (
          <tr key={replica.replica_id}>
            <td>
              <code>
                {replica.host}:{replica.pid}
              </code>
            </td>
            <td data-label="Kind">{replica.kind}</td>
            <td data-label="Health">
              <Health replica={replica} />
            </td>
            <td data-label="Running since">
              <Ago at={replica.started_at} />
            </td>
            <td data-label="Last heartbeat">
              <Ago at={replica.last_seen_at} />
            </td>
          </tr>
        ))}
        {missing.map(({ kind, isSure, meaning }) => (
          <tr key={kind}>
            <td>
              <span className="dimmed">none</span>
            </td>
            <td data-label="Kind">{kind}</td>
            <td data-label="Health" colSpan={3}>
              <span>
                <Chip tone={isSure ? 'bad' : 'warn'} icon={isSure ? 'cross' : 'warning'}>
                  none reports
                </Chip>{' '}
                <span className="dimmed small">{meaning}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Health({ replica }: { readonly replica: Replica }) {
  if (replica.gone) {
    return (
      <Chip tone="bad" icon="cross">
        gone
      </Chip>
    );
  }
  return replica.ready ? (
    <Chip tone="ok" icon="check">
      ready
    </Chip>
  ) : (
    <span>
      <Chip tone="warn" icon="warning">
        not ready
      </Chip>{' '}
      <span className="dimmed small">{replica.trouble}</span>
    </span>
  );
}
