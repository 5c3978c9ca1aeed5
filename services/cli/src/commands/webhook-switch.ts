import type { AuditAction } from '@sluice/contract/account/audit-actions';
import {
  adoptByAdmin,
  pauseByAdmin,
  resumeByAdmin,
} from '@sluice/outbound/subscriptions/change-subscription';
import { deleteByAdmin } from '@sluice/outbound/subscriptions/delete-subscription';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import { changeWebhook } from '../webhooks/change-webhook.ts';
import { webhookRow } from '../webhooks/webhook-access.ts';

interface Switch {
  readonly verb: string;
  readonly description: string;
  readonly action: AuditAction;
  readonly run: typeof pauseByAdmin;
  /** Why nothing was changed. Undefined: it is as wanted already. */
  readonly whyNot?: (subscription: Subscription) => string | undefined;
}

const DEAD_KEY = ['key_revoked', 'key_expired'];

const SWITCHES: readonly Switch[] = [
  {
    verb: 'pause',
    description: 'pause a webhook subscription; its messages wait',
    action: 'webhook.paused',
    run: pauseByAdmin,
  },
  {
    verb: 'resume',
    description: 'send what waits for a paused webhook subscription, and what follows',
    action: 'webhook.resumed',
    run: resumeByAdmin,
    whyNot: ({ paused, subscription_id }) =>
      DEAD_KEY.includes(paused?.reason ?? '')
        ? `Its API key was revoked or has expired. Adopt it: sluice webhook adopt ${subscription_id}`
        : undefined,
  },
  {
    verb: 'adopt',
    description: 'take over the webhook subscription of a revoked or expired key for the account',
    action: 'webhook.adopted',
    run: adoptByAdmin,
    whyNot: ({ key_id }) =>
      key_id === null
        ? undefined
        : `Its API key ${key_id} still works. Only that of a dead key can be adopted.`,
  },
];

/** sluice webhook pause, resume and adopt */
export function addWebhookSwitches(parent: Command, context: Context): void {
  for (const one of SWITCHES) addSwitch(parent, context, one);
}

function addSwitch(
  parent: Command,
  context: Context,
  { verb, description, action, run, whyNot }: Switch,
): void {
  const command = parent
    .command(verb)
    .description(description)
    .argument('<webhook_id>', 'the webhook subscription');

  onStores<CommonOptions>(context, command, async ({ stack, output, now, audited }, subscriptionId = '') => {
    const deps = await stack.publishing(now);
    const changed = await changeWebhook({ stack, audited }, subscriptionId, {
      action,
      work: ({ accountId }) => run(deps, accountId, subscriptionId),
    });
    const why = changed.status === 'unchanged' ? whyNot?.(changed.subscription) : undefined;
    if (why !== undefined) throw failed(`Nothing was changed. ${why}`);
    output.record(webhookRow(changed.subscription));
  });
}

/** sluice webhook delete */
export function addWebhookDelete(parent: Command, context: Context): void {
  const command = parent
    .command('delete')
    .description('delete a webhook subscription permanently; what waits for it is dropped')
    .argument('<webhook_id>', 'the webhook subscription');

  onStores<CommonOptions>(context, command, async ({ stack, output, now, audited }, subscriptionId = '') => {
    const deps = await stack.publishing(now);
    await changeWebhook({ stack, audited }, subscriptionId, {
      action: 'webhook.deleted',
      work: ({ accountId }) => deleteByAdmin(deps, accountId, subscriptionId),
    });
    output.record({ id: subscriptionId, status: 'deleted' });
  });
}
