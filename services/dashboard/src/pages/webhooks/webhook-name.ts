import { webhookAddress, webhookName } from '@sluice/contract/subscription/subscription-name';
import type { WebhookItem } from '@sluice/dashboard-api/webhooks';

const PLATFORMS: Readonly<Record<string, string>> = {
  n8n: 'n8n',
  zapier: 'Zapier',
  make: 'Make',
  'node-red': 'Node-RED',
};

/** The name of a platform for people. One that is not known has its own. */
function platformName(platform: string): string {
  return PLATFORMS[platform.toLowerCase()] ?? platform;
}

/** Names its creator: "n8n, with the key CRM". */
export function madeBy({ key, client }: WebhookItem): string {
  const platform = client?.platform;
  const by = key === null ? 'an admin' : `the key ${key.name}`;
  return platform == null ? by : `${platformName(platform)}, with ${by}`;
}

/** The line below its name: its address, unless that is the name, and its creator. */
export function webhookOrigin(webhook: WebhookItem): string {
  const address = webhookAddress(webhook);
  const by = `by ${madeBy(webhook)}`;
  return webhookName(webhook) === address ? by : `${address}, ${by}`;
}

/** The kinds in words. `*` means every kind. */
export function kindsInWords(events: readonly string[]): string {
  return events.includes('*') ? 'All events' : events.join(', ');
}

/** Names an integration as its owner does: "n8n, workflow Leads to Slack". */
export function integrationName({ name, client, target_url }: WebhookItem): string {
  const platform = client?.platform == null ? null : platformName(client.platform);
  const workflow = client?.workflow_name == null ? null : `workflow ${client.workflow_name}`;
  const own = name ?? (workflow === null ? webhookAddress({ target_url }) : null);
  return [platform, workflow, own].filter((part) => part !== null).join(', ');
}
