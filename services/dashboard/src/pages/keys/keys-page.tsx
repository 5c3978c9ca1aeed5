import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyTable } from './key-table.tsx';
import { PresetCards, type PresetId } from './presets.tsx';

export function KeysPage() {
  const keys = useRead(ROUTES.keys.list, {});
  const mayChange = useMay('admin');
  const [preset, setPreset] = useState<PresetId | null>(null);
  const [creating, create] = useDisclosure(false);
  const open = (chosen: PresetId | null) => {
    setPreset(chosen);
    create.open();
  };
  return (
    <Page
      title="API Keys"
      lead="Automation platforms and your own backends use keys to act on this account. Create one key per integration, with the fewest scopes it needs."
      actions={
        mayChange && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => open(null)}>
            Create key
          </Button>
        )
      }
    >
      <Card flush>
        <Loaded query={keys}>
          {({ items }) =>
            items.length === 0 ? (
              <NoKeys mayChange={mayChange} onPreset={open} />
            ) : (
              <KeyTable keys={items} mayChange={mayChange} />
            )
          }
        </Loaded>
      </Card>
      {creating && <CreateKeyDialog preset={preset} onClose={create.close} />}
    </Page>
  );
}

function NoKeys({
  mayChange,
  onPreset,
}: {
  readonly mayChange: boolean;
  readonly onPreset: (id: PresetId) => void;
}) {
  if (!mayChange) {
    return (
      <Empty icon="key" title="No API keys yet">
        An owner or admin of the account can create one.
      </Empty>
    );
  }
  return (
    <Empty
      icon="key"
      title="Create your first API key"
      actions={<PresetCards selected={null} onSelect={onPreset} />}
    >
      Choose the kind of integration. Its minimum scopes are filled in. You can change them.
    </Empty>
  );
}
