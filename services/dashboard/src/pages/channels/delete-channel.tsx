import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ChannelWithActivity } from '@sluice/dashboard-api/channels';
import { Card } from '../../ui/page.tsx';
import classes from '../source/settings.module.css';
import { DeleteChannelDialog } from './delete-channel-dialog.tsx';

/** Deletes the channel after a dialog names what becomes of its URL, conversations and log. */
export function DeleteChannel({ channel }: { readonly channel: ChannelWithActivity }) {
  const [asking, ask] = useDisclosure(false);
  return (
    <Card title="Delete this channel">
      <div className={classes.line}>
        <p className="dimmed">Its URL stops working permanently. To stop it for a while, switch it off.</p>
        <Button variant="outline" color="danger" onClick={ask.open}>
          Delete channel
        </Button>
      </div>
      {asking && <DeleteChannelDialog channel={channel} onClose={ask.close} />}
    </Card>
  );
}
