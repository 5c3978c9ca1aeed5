import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Card } from '../../ui/page.tsx';
import classes from '../source/set-up.module.css';
import { kindsInWords, madeBy } from './webhook-name.ts';

/** What the receiver needs: the URL, the secret, and code that verifies a message. */
export function WebhookSetUp({ webhook }: { readonly webhook: WebhookItem }) {
  return (
    <div className={classes.stack}>
      <Card>
        <dl className={classes.fields}>
          <div className={classes.field}>
            <dt>URL</dt>
            <dd className={classes.line}>
              <code className={classes.box}>{webhook.target_url}</code>
              <CopyButton text={webhook.target_url} what="URL" atEdge />
            </dd>
          </div>
          <div className={classes.field}>
            <dt>Events</dt>
            <dd>{kindsInWords(webhook.events)}</dd>
          </div>
          <div className={classes.field}>
            <dt>Made by</dt>
            <dd>{madeBy(webhook)}</dd>
          </div>
          <div className={classes.field}>
            <dt>Secret</dt>
            <dd>It was shown when the subscription was created. Settings can rotate it.</dd>
          </div>
        </dl>
      </Card>
      <Card title="Verify a message">
        <p>
          Messages follow Standard Webhooks: the headers webhook-id, webhook-timestamp and webhook-signature.
          Respond with 200 within 15 seconds. A message can come twice with the same webhook-id.
        </p>
        <CodeBlock title="Node" code={VERIFY} what="code" />
      </Card>
    </div>
  );
}

const VERIFY = `// npm install express standardwebhooks
import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.SLUICE_WEBHOOK_SECRET);
const app = express();
// The signature is over the bytes as they came, so the body is not parsed first.
app.post('/hooks/sluice', express.raw({ type: 'application/json' }), (request, response) => {
  let message;
  try {
    message = webhook.verify(request.body, request.headers);
  } catch {
    return response.status(401).end();
  }
  console.log(message.type, message.data);
  response.status(200).end();
});
app.listen(3000);
`;
