import { ActionIcon } from '@mantine/core';
import type { KeyItem, KeyWithActivity } from '@sluice/dashboard-api/keys';
import { useState } from 'react';
import { Ago, useNow } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Icon } from '../../ui/icons.tsx';
import table from '../../ui/table.module.css';
import { Tip } from '../../ui/tip.tsx';
import { TrashCell } from '../../ui/trash-cell.tsx';
import { useTableKeys } from '../../ui/use-table-keys.ts';
import { KeyState } from './key-state.tsx';
import classes from './key-table.module.css';
import { KeySparkline, LastUse } from './key-usage.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

const SOON_MS = 14 * 24 * 60 * 60 * 1000;

export function KeyTable({
  keys,
  mayChange,
}: {
  readonly keys: readonly KeyWithActivity[];
  readonly mayChange: boolean;
}) {
  const [revoking, setRevoking] = useState<KeyWithActivity | null>(null);
  const [rotating, setRotating] = useState<KeyWithActivity | null>(null);
  const body = useTableKeys();
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
            <th>Last 24 h</th>
            <th>Expires</th>
            <th>State</th>
            {mayChange && <th className={table.end}>Rotate, revoke</th>}
          </tr>
        </thead>
        <tbody ref={body}>
          {keys.map((key) => (
            <Row
              key={key.key_id}
              item={key}
              mayChange={mayChange}
              onRotate={() => setRotating(key)}
              onRevoke={() => setRevoking(key)}
            />
          ))}
        </tbody>
      </table>
      {rotating !== null && <RotateKeyDialog item={rotating} onClose={() => setRotating(null)} />}
      {revoking !== null && <RevokeKeyDialog item={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

interface RowProps {
  readonly item: KeyWithActivity;
  readonly mayChange: boolean;
  readonly onRotate: () => void;
  readonly onRevoke: () => void;
}

function Row({ item, mayChange, onRotate, onRevoke }: RowProps) {
  return (
    <tr className={item.state === 'active' ? '' : table.faded} tabIndex={-1}>
      <td className={classes.name}>{item.name}</td>
      <td data-label="Key">
        <code className={classes.key}>
          <Prefix prefix={item.prefix} />…
        </code>
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
        <LastUse item={item} />
      </td>
      <td data-label="Last 24 h">
        <KeySparkline item={item} />
      </td>
      <td data-label="Expires">
        <Expires item={item} />
      </td>
      <td data-label="State">
        <KeyState item={item} />
      </td>
      {mayChange &&
        (item.state === 'active' ? (
          <TrashCell tip="Revoke key" label={`Revoke ${item.name}`} onClick={onRevoke}>
            <Tip label="Rotate key">
              <ActionIcon variant="subtle" color="gray" aria-label={`Rotate ${item.name}`} onClick={onRotate}>
                <Icon name="rotate" />
              </ActionIcon>
            </Tip>
          </TrashCell>
        ) : (
          <td className={table.end} />
        ))}
    </tr>
  );
}

/** Allows a line break after the common prefix of all keys. */
function Prefix({ prefix }: { readonly prefix: string }) {
  const end = prefix.lastIndexOf('_') + 1;
  return (
    <>
      {prefix.slice(0, end)}
      <wbr />
      {prefix.slice(end)}
    </>
  );
}

function Expires({ item }: { readonly item: KeyItem }) {
  const now = useNow();
  const soon =
    item.state === 'active' && item.expires_at !== null && Date.parse(item.expires_at) - now < SOON_MS;
  if (!soon) return <Ago at={item.expires_at} />;
  return (
    <span data-soon>
      <Chip tone="warn" icon="clock">
        <Ago at={item.expires_at} />
      </Chip>
    </span>
  );
}
