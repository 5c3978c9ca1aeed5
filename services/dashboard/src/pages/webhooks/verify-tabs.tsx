import { LanguageChoice, useLanguage } from '../../samples/language-choice.tsx';
import { WEBHOOK_SECRET_VARIABLE } from '../../samples/verify/verify-sample.ts';
import { VERIFY_SAMPLES } from '../../samples/verify/verify-samples.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import classes from '../source/set-up.module.css';

/** Shows programs that receive and verify messages when pasted. */
export function VerifyTabs() {
  const { sample, setLanguage } = useLanguage(VERIFY_SAMPLES);
  return (
    <div>
      <div className={classes.sampleBar}>
        <div className={classes.languages}>
          <LanguageChoice samples={VERIFY_SAMPLES} chosen={sample} onChange={setLanguage} />
        </div>
      </div>
      <CodeBlock title={`${sample.file} · run with: ${sample.run}`} code={sample.code} what="code" />
      <p className={classes.hint}>
        The code reads the secret from the environment. Run{' '}
        <code>export {WEBHOOK_SECRET_VARIABLE}='whsec_…'</code> first. The signature covers the exact bytes of
        the body: verify before you parse.
      </p>
    </div>
  );
}
