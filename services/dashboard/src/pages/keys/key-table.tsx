import type { KeyItem } from '@sluice/contract/dashboard/keys';
import { useState } from 'react';
import { Ago, useNow } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import table from '../../ui/table.module.css';
import { TrashCell } from '../../ui/trash-cell.tsx';
import classes from './key-table.module.css';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';

const SOON_MS = 14 * 24 * 60 * 60 * 1000;

export function KeyTable({
  keys,
  mayChange,
}: {
  readonly keys: readonly KeyItem[];
  readonly mayChange: boolean;
}) {
  const [revoking, setRevoking] = useState<KeyItem | null>(null);
  return (
    <>
      <table className={table.table}>
        <thead>
          <tr>
            <th>Name</th>
            <th>Key</th>
            <th>Scopes</th>
            <th>Created</th>
            <th>Last used</th>
            <th>Expires</th>
            <th>State</th>
            {mayChange && <th className={table.end}>Revoke</th>}
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <Row key={key.key_id} item={key} mayChange={mayChange} onRevoke={() => setRevoking(key)} />
          ))}
        </tbody>
      </table>
      {revoking !== null && <RevokeKeyDialog item={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

interface RowProps {
  readonly item: KeyItem;
  readonly mayChange: boolean;
  readonly onRevoke: () => void;
}

function Row({ item, mayChange, onRevoke }: RowProps) {
  return (
    <tr className={item.state === 'active' ? '' : table.faded}>
      <td className={classes.name}>{item.name}</td>
      <td data-label="Key">
        <code className="nowrap">{item.prefix}…</code>
      </td>
      <td data-label="Scopes">
        <span className={classes.scopes}>
          {item.scopes.map((scope) => (
            <Chip key={scope} tone="quiet">
              {scope}
            </Chip>
          ))}
        </span>
      </td>
      <td data-label="Created">
        <Ago at={item.created_at} />
      </td>
      <td data-label="Last used">
        <Ago at={item.last_used_at} />
      </td>
      <td data-label="Expires">
        <Expires item={item} />
      </td>
      <td data-label="State">
        <State item={item} />
      </td>
      {mayChange &&
        (item.state === 'active' ? (
          <TrashCell tip="Revoke key" label={`Revoke ${item.name}`} onClick={onRevoke} />
        ) : (
          <td className={table.end} />
        ))}
    </tr>
  );
}

function Expires({ item }: { readonly item: KeyItem }) {
  const now = useNow();
  const soon =
    item.state === 'active' && item.expires_at !== null && Date.parse(item.expires_at) - now < SOON_MS;
  if (!soon) return <Ago at={item.expires_at} />;
  return (
    <Chip tone="warn" icon="clock">
      <Ago at={item.expires_at} />
    </Chip>
  );
}

function State({ item }: { readonly item: KeyItem }) {
  switch (item.state) {
    case 'active':
      return (
        <Chip tone="ok" icon="check">
          active
        </Chip>
      );
    case 'expired':
      return (
        <Chip tone="warn" icon="clock">
          expired
        </Chip>
      );
    case 'revoked':
      return (
        <Chip tone="quiet" icon="cross">
          revoked <Ago at={item.revoked_at} otherwise="" />
        </Chip>
      );
  }
}
