import { AUDIT_ACTIONS, type AuditAction } from '@sluice/contract/account/audit-actions';
import type { AuditItem } from '@sluice/dashboard-api/audit';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link } from 'react-router';
import { usePages } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import {
  conversationPath,
  deliveryPath,
  endpointPath,
  eventPath,
  leadPath,
  webhookPath,
} from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { EmailText } from '../../ui/email-text.tsx';
import { FilterSelect } from '../../ui/filters.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { AdminsOnly, Empty, Listed, ShowMore } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { type Column, Table } from '../../ui/table.tsx';
import { useAddress } from '../../ui/use-address.ts';

const PAGE = 50;
const OPTIONS = [
  { value: '', label: 'All actions' },
  ...Object.entries(AUDIT_ACTIONS).map(([value, label]) => ({ value, label })),
];

export function AuditPage() {
  const { search, change } = useAddress();
  const action = search.get('action') ?? '';
  const query = action === '' ? {} : { action: action as AuditAction };
  const mayRead = useMay('admin');
  const log = usePages(ROUTES.audit.list, { query: { ...query, limit: PAGE } }, { enabled: mayRead });
  if (!mayRead)
    return (
      <Page title="Audit log">
        <AdminsOnly icon="audit" what="read the audit log">
          look it up
        </AdminsOnly>
      </Page>
    );
  return (
    <Page
      title="Audit log"
      lead="Every change to keys, secrets, sources and members, with its user, time and address."
      actions={
        <FilterSelect
          label="Action"
          data-filter
          data={OPTIONS}
          value={action}
          onChange={(value) => change({ action: value })}
        />
      }
    >
      <div className="stack-small">
        <Card flush>
          <Listed
            list={log}
            empty={
              <Empty icon="audit" title={action === '' ? 'No changes yet' : 'No changes of this kind'}>
                Every change to a key, secret, source or member is recorded here.
              </Empty>
            }
          >
            <Table items={log.items} columns={COLUMNS} keyOf={({ audit_id }) => audit_id} />
          </Listed>
        </Card>
        {log.hasNextPage && (
          <div>
            <ShowMore key={action} list={log} />
          </div>
        )}
      </div>
    </Page>
  );
}

const COLUMNS: readonly Column<AuditItem>[] = [
  { head: 'When', cell: ({ at }) => <Ago at={at} inLog /> },
  { head: 'User', cell: ({ actor }) => <Actor actor={actor} /> },
  {
    head: 'Change',
    cell: (item) => (
      <span>
        {AUDIT_ACTIONS[item.action] ?? item.action} <Target {...item} />
        {item.detail !== null && <span className="dimmed small"> · {item.detail}</span>}
        {item.unconfirmed && (
          <span className="dimmed small"> · not confirmed: in progress, or interrupted</span>
        )}
      </span>
    ),
  },
  { head: 'From', className: table.whole, cell: ({ address }) => <code>{address}</code> },
];

/** After these actions the record has no page. */
const ENDS = /\.(deleted|erased|removed|invite_withdrawn)$/;

function Target({ action, target: { id, name } }: Pick<AuditItem, 'action' | 'target'>) {
  const path = ENDS.test(action) ? undefined : targetPath(id);
  return (
    <strong title={id}>
      {path === undefined ? (
        <EmailText text={name} />
      ) : (
        <Link to={path}>
          <EmailText text={name} />
        </Link>
      )}
    </strong>
  );
}

function Actor({ actor }: { readonly actor: AuditItem['actor'] }) {
  return 'email' in actor ? (
    <EmailText text={actor.email} />
  ) : (
    <span title={actor.key_id}>API key {actor.name}</span>
  );
}

/** The page of a record, by the prefix of its id. */
const PATHS: Readonly<Record<string, (id: string) => string>> = {
  chn: (id) => endpointPath(id, 'setup'),
  conv: conversationPath,
  dlv: deliveryPath,
  evt: eventPath,
  key: (id) => `/settings/api-keys?key=${id}`,
  lead: leadPath,
  src: (id) => endpointPath(id, 'setup'),
  stg: () => '/settings/pipeline',
  sub: (id) => webhookPath(id, 'setup'),
  usr: () => '/settings/members',
};

/** Returns the address of the record that an audit entry names. Undefined if it has no page. */
function targetPath(id: string): string | undefined {
  const [, prefix = ''] = /^([a-z]+)_/.exec(id) ?? [];
  return Object.hasOwn(PATHS, prefix) ? PATHS[prefix]?.(id) : undefined;
}
