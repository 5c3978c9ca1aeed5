import { DAY_MS } from '@sluice/contract/time/durations';
import type { KeyItem, KeyWithActivity } from '@sluice/dashboard-api/keys';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Ago, useNow } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import table from '../../ui/table.module.css';
import { type Column, RowAction, Table } from '../../ui/table.tsx';
import { RenameKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs.tsx';
import classes from './key-table.module.css';
import { KeySparkline, LastUse } from './key-usage.tsx';

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
  // A link to a key leads to its row.
  const named = useSearchParams()[0].get('key');
  useEffect(() => {
    if (named === null) return;
    document.querySelector<HTMLElement>(`[data-key="${CSS.escape(named)}"]`)?.focus();
  }, [named]);
  return (
    <>
      <Table
        items={keys}
        columns={[...COLUMNS, mayChange && actions((what, item) => setAsked({ what, item }))]}
        keyOf={({ key_id }) => key_id}
        rowProps={({ key_id, state }) => ({
          className: state === 'active' ? undefined : table.faded,
          tabIndex: -1,
          'data-key': key_id,
        })}
      />
      {asked?.what === 'rename' && <RenameKeyDialog item={asked.item} onClose={close} />}
      {asked?.what === 'rotate' && <RotateKeyDialog item={asked.item} onClose={close} />}
      {asked?.what === 'revoke' && <RevokeKeyDialog item={asked.item} onClose={close} />}
    </>
  );
}

const COLUMNS: readonly Column<KeyWithActivity>[] = [
  { head: 'Name', label: null, className: `${table.roomy} strong`, cell: ({ name }) => name },
  {
    head: 'Key',
    cell: ({ prefix }) => (
      <code className={classes.key}>
        <Prefix prefix={prefix} />…
      </code>
    ),
  },
  {
    head: 'Scopes',
    cell: ({ scopes }) => (
      <span className="row">
        {scopes.map((scope) => (
          <Chip key={scope} tone="quiet">
            {scope}
          </Chip>
        ))}
      </span>
    ),
  },
  { head: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
  { head: 'Last used', cell: (item) => <LastUse item={item} /> },
  { head: 'Last 24 h', cell: (item) => <KeySparkline item={item} /> },
  { head: 'Expires', cell: (item) => <Expires item={item} /> },
  { head: 'State', cell: (item) => <KeyState item={item} /> },
];

const ACTIONS = [
  { what: 'rename', verb: 'Rename', icon: 'pencil' },
  { what: 'rotate', verb: 'Rotate', icon: 'rotate' },
  { what: 'revoke', verb: 'Revoke', icon: 'trash' },
] as const;

/** The buttons of an active key. */
function actions(onAsk: (what: Asked['what'], item: KeyWithActivity) => void): Column<KeyWithActivity> {
  return {
    head: 'Actions',
    label: null,
    end: true,
    className: ({ state }) => (state === 'active' ? table.corner : undefined),
    cell: (item) =>
      item.state === 'active' &&
      ACTIONS.map(({ what, verb, icon }) => (
        <RowAction
          key={what}
          tip={`${verb} key`}
          label={`${verb} ${item.name}`}
          icon={icon}
          atEdge={what === 'revoke'}
          onClick={() => onAsk(what, item)}
        />
      )),
  };
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

function KeyState({ item }: { readonly item: KeyItem }) {
  switch (item.state) {
    case 'active':
      return item.replaced ? (
        <span className={`stack-tiny ${classes.lines}`}>
          <Chip tone="info" icon="rotate">
            replaced
          </Chip>
          <span className="small">
            ends <Ago at={item.expires_at} />
          </span>
        </span>
      ) : (
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
        <span className={`stack-tiny ${classes.lines}`}>
          <Chip tone="quiet" icon="cross">
            revoked
          </Chip>
          <span className="small">
            <Ago at={item.revoked_at} otherwise="" />
          </span>
        </span>
      );
  }
}
