import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { Copied } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Card } from '../../ui/page.tsx';
import { ActiveSwitch } from './active-switch.tsx';
import { DeleteCard } from './delete-card.tsx';
import { asSource, ENDPOINT_ROUTES, ENDPOINTS_SHOWN, type Endpoint, kindOf, paramsOf } from './endpoint.ts';
import { RepliesForm, ReplySecret, RotateReplySecret } from './replies.tsx';
import { SettingsForm } from './settings-form.tsx';

interface SettingsProps {
  readonly endpoint: Endpoint;
  readonly mayChange: boolean;
}

export function Settings({ endpoint, mayChange }: SettingsProps) {
  const source = asSource(endpoint);
  const id = source.source_id;
  const kind = kindOf(id);
  const save = useWrite(ENDPOINT_ROUTES[kind].settings, ENDPOINTS_SHOWN);
  // A revealed secret is masked again once it is rotated.
  const [rotations, setRotations] = useState(0);
  return (
    <div className="stack narrow">
      <Card title="Active">
        <div className="row-between">
          <p className="dimmed">An inactive {kind} responds to every request with 403.</p>
          <ActiveSwitch source={source} mayChange={mayChange} />
        </div>
      </Card>
      {'channel_id' in endpoint && (
        <Card title="Replies and leads">
          <div className="stack">
            <RepliesForm channel={endpoint} mayChange={mayChange} />
            {endpoint.reply_url !== null && mayChange && (
              <>
                <ReplySecret key={rotations} channelId={id} />
                <RotateReplySecret channel={endpoint} onRotated={() => setRotations((count) => count + 1)} />
              </>
            )}
          </div>
        </Card>
      )}
      <Card title="Settings">
        <SettingsForm
          key={id}
          of={source}
          mayChange={mayChange}
          save={save}
          onSave={(body, onSuccess) => save.mutate({ params: paramsOf(id), body }, { onSuccess })}
        />
      </Card>
      <Card title={`About this ${kind}`}>
        <Facts
          of={{
            [kind === 'source' ? 'Source id' : 'Channel id']: <Copied text={id} what={`${kind} id`} />,
            Created: <Ago at={source.created_at} />,
          }}
        />
      </Card>
      {mayChange && <DeleteCard key={id} source={source} />}
    </div>
  );
}
