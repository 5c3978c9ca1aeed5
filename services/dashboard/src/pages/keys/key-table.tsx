import { ActionIcon } from '@mantine/core';
import { DAY_MS } from '@sluice/contract/durations';
import type { KeyItem, KeyWithActivity } from '@sluice/dashboard-api/keys';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Ago, useNow } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import table from '../../ui/table.module.css';
import { Tip } from '../../ui/tip.tsx';
import { TrashCell } from '../../ui/trash-cell.tsx';
import { useTableKeys } from '../../ui/use-table-keys.ts';
import { KeyState } from './key-state.tsx';
import classes from './key-table.module.css';
import { KeySparkline, LastUse } from './key-usage.tsx';
import { RenameKeyDialog } from './rename-key-dialog.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

/** The dialog that is open, and its key. */
interface Asked {
  readonly what: 'rename' | 'rotate' | 'revoke';
  readonly item: KeyWithActivity;
}

const SOON_MS = 14 * DAY_MS;

export function KeyTable({
  keys,
  mayChange,
}: {
  readonly keys: readonly KeyWithActivity[];
  readonly mayChange: boolean;
}) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
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
            {mayChange && <th className={table.end}>Actions</th>}
          </tr>
        </thead>
        <tbody ref={body}>
          {keys.map((key) => (
            <Row
              key={key.key_id}
              item={key}
              mayChange={mayChange}
              onAsk={(what) => setAsked({ what, item: key })}
            />
          ))}
        </tbody>
      </table>
      {asked?.what === 'rename' && <RenameKeyDialog item={asked.item} onClose={close} />}
      {asked?.what === 'rotate' && <RotateKeyDialog item={asked.item} onClose={close} />}
      {asked?.what === 'revoke' && <RevokeKeyDialog item={asked.item} onClose={close} />}
    </>
  );
}

interface RowProps {
  readonly item: KeyWithActivity;
  readonly mayChange: boolean;
  readonly onAsk: (what: Asked['what']) => void;
}

function Row({ item, mayChange, onAsk }: RowProps) {
  const row = useRef<HTMLTableRowElement>(null);
  // A link to a key leads to its row.
  const isNamed = useSearchParams()[0].get('key') === item.key_id;
  useEffect(() => {
    if (isNamed) row.current?.focus();
  }, [isNamed]);
  return (
    <tr ref={row} className={item.state === 'active' ? '' : table.faded} tabIndex={-1}>
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
          <TrashCell tip="Revoke key" label={`Revoke ${item.name}`} onClick={() => onAsk('revoke')}>
            <RowAction
              tip="Rename key"
              label={`Rename ${item.name}`}
              icon="pencil"
              onClick={() => onAsk('rename')}
            />
            <RowAction
              tip="Rotate key"
              label={`Rotate ${item.name}`}
              icon="rotate"
              onClick={() => onAsk('rotate')}
            />
          </TrashCell>
        ) : (
          <td className={table.end} />
        ))}
    </tr>
  );
}

interface RowActionProps {
  readonly tip: string;
  readonly label: string;
  readonly icon: IconName;
  readonly onClick: () => void;
}

function RowAction({ tip, label, icon, onClick }: RowActionProps) {
  return (
    <Tip label={tip}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        <Icon name={icon} />
      </ActionIcon>
    </Tip>
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
