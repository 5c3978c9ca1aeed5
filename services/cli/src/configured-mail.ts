import { describeProblems, loadConfig } from '@sluice/runtime/config/config';
import { variables } from '@sluice/runtime/config/variables';
import { failed } from './exit-codes.ts';

/** The mail server of this installation (SMTP_URL) and the sender. Throws if they are invalid. */
export function configuredMail(env: NodeJS.ProcessEnv) {
  const shape = { SMTP_URL: variables.SMTP_URL.optional(), MAIL_FROM: variables.MAIL_FROM.optional() };
  const loaded = loadConfig(shape, env);
  if (!loaded.ok) throw failed(describeProblems(loaded.problems).trimEnd());
  return loaded.config;
}
