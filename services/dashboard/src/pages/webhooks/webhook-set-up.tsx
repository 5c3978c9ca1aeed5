import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { LanguageChoice, useLanguage } from '../../samples/language-choice.tsx';
import { VERIFY_SAMPLES, WEBHOOK_SECRET_VARIABLE } from '../../samples/verify.ts';
import { CodeBlock, CopyButton } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Card } from '../../ui/page.tsx';
import classes from '../source/set-up.module.css';
import { kindsInWords, madeBy } from './webhook-name.ts';

/** Shows what the receiver needs: the URL, the secret, and code that verifies a message. */
export function WebhookSetUp({ webhook }: { readonly webhook: WebhookItem }) {
  return (
    <div className="stack">
      <Card>
        <Facts
          className={classes.fields}
          of={{
            URL: (
              <span className="line">
                <code className={classes.box}>{webhook.target_url}</code>
                <CopyButton text={webhook.target_url} what="URL" atEdge />
              </span>
            ),
            Events: kindsInWords(webhook.events),
            'Made by': madeBy(webhook),
            Secret: 'It was shown when the subscription was created. Settings can rotate it.',
          }}
        />
      </Card>
      <Card title="Verify a message">
        <div className="stack-small">
          <p>
            Messages follow Standard Webhooks: the headers webhook-id, webhook-timestamp and
            webhook-signature. Its{' '}
            <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
              libraries
            </a>{' '}
            verify them too. Respond with 2xx within 15 seconds. A message can come twice with the same
            webhook-id.
          </p>
          <VerifyTabs />
        </div>
      </Card>
    </div>
  );
}

/** Shows programs that receive and verify messages when pasted. */
function VerifyTabs() {
  const { sample, setLanguage } = useLanguage(VERIFY_SAMPLES);
  return (
    <div className="stack-small">
      <div className={classes.languages}>
        <LanguageChoice samples={VERIFY_SAMPLES} chosen={sample} onChange={setLanguage} />
      </div>
      <CodeBlock title={`${sample.file} · run with: ${sample.run}`} code={sample.code} what="code" />
      <p className="dimmed small">
        The code reads the secret from the environment. Run{' '}
        <code>export {WEBHOOK_SECRET_VARIABLE}='whsec_…'</code> first. The signature covers the exact bytes of
        the body: verify before you parse.
      </p>
    </div>
  );
}
