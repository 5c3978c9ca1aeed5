import { AUDIT_ACTIONS } from '@sluice/contract/audit-actions';
import type { AuditItem } from '@sluice/dashboard-api/audit';
import { Link } from 'react-router';
import { Ago } from '../../ui/ago.tsx';
import { EmailText } from '../../ui/email-text.tsx';
import table from '../../ui/table.module.css';
import { targetPath } from './target-path.ts';

export function AuditTable({ items }: { readonly items: readonly AuditItem[] }) {
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th>When</th>
          <th>User</th>
          <th>Change</th>
          <th>From</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.audit_id}>
            <td data-label="When">
              <Ago at={item.at} inLog />
            </td>
            <td data-label="User">
              <Actor actor={item.actor} />
            </td>
            <td data-label="Change">
              <span>
                {AUDIT_ACTIONS[item.action] ?? item.action} <Target {...item} />
                {item.detail !== null && <span className="dimmed small"> · {item.detail}</span>}
                {item.unconfirmed && (
                  <span className="dimmed small"> · not confirmed: in progress, or interrupted</span>
                )}
              </span>
            </td>
            <td data-label="From" className={table.whole}>
              <code>{item.address}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

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
