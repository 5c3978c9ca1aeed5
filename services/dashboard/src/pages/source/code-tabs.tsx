import type { Source } from '@sluice/dashboard-api/sources';
import { LanguageChoice, useLanguage } from '../../samples/language-choice.tsx';
import { type Sample, SECRET_VARIABLE } from '../../samples/sample.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Switch } from '../../ui/switch.ts';
import classes from './set-up.module.css';
import { useSecret } from './use-secret.ts';

interface CodeTabsProps {
  readonly source: Pick<Source, 'source_id' | 'endpoint_url'>;
  readonly samples: readonly [Sample, ...Sample[]];
  /** The body that the code sends. */
  readonly body: string;
  readonly mayInsertSecret: boolean;
}

/**
 * Shows code samples that work when pasted. The language is remembered. The secret comes from the environment unless
 * requested.
 */
export function CodeTabs({ source, samples, body, mayInsertSecret }: CodeTabsProps) {
  const { sample, setLanguage } = useLanguage(samples);
  const { secret, isPending, reveal, hide } = useSecret(source.source_id);
  const code = sample.code({ endpointUrl: source.endpoint_url, secret, body });
  return (
    <div>
      <div className={classes.sampleBar}>
        <div className={classes.languages}>
          <LanguageChoice samples={samples} chosen={sample} onChange={setLanguage} />
        </div>
        {mayInsertSecret && (
          <Switch
            label="Insert the secret for 30 s"
            checked={secret !== null}
            disabled={isPending}
            onChange={(event) => (event.currentTarget.checked ? reveal() : hide())}
          />
        )}
      </div>
      <CodeBlock
        title={sample.file === 'a shell' ? 'Paste into a shell' : `${sample.file} · run with: ${sample.run}`}
        code={code}
        what="code"
      />
      {secret === null && (
        <p className={classes.hint}>
          {sample.id === 'curl' ? (
            <>
              The code asks for the secret, or reads it from <code>{SECRET_VARIABLE}</code>.
            </>
          ) : (
            <>
              The code reads the secret from the environment. Run{' '}
              <code>export {SECRET_VARIABLE}='whsec_…'</code> first.
            </>
          )}{' '}
          The signature covers the timestamp, a dot and the exact bytes of the body.
        </p>
      )}
    </div>
  );
}
