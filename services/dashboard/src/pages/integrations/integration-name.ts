import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { platformName, webhookAddress } from '../webhooks/webhook-name.ts';

/** Names an integration as its owner does: "n8n, workflow Leads to Slack". */
export function integrationName({ name, client, target_url }: WebhookItem): string {
  const platform = client?.platform == null ? null : platformName(client.platform);
  const workflow = client?.workflow_name == null ? null : `workflow ${client.workflow_name}`;
  const own = name ?? (workflow === null ? webhookAddress({ target_url }) : null);
  return [platform, workflow, own].filter((part) => part !== null).join(', ');
}
