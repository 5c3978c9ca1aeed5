import type { ChannelCreated } from '@sluice/dashboard-api/channels';
import type { Page } from 'playwright-core';
import { applyActions, visitorSays } from '../../support/conversations.ts';
import type { useBrowser } from './browser.ts';
import { callAs } from './source.ts';
import type { Person } from './stack.ts';

/** A channel with a reply URL, an admin, and what visitors do there. */
export function useChat(at: ReturnType<typeof useBrowser>) {
  let admin: Person;
  let channelId: string;
  before(async () => {
    admin = await at.stack.addPerson('admin');
    const created = await callAs<ChannelCreated>(at.stack, admin, 'POST', '/channels', {
      name: 'Website chat',
    });
    channelId = created.channel.channel_id;
    // Without one, replies fail.
    const settings = { reply_url: 'https://chat.example.com/replies' };
    await callAs(at.stack, admin, 'PATCH', `/channels/${channelId}`, settings);
  });
  return {
    admin: () => admin,
    channelId: () => channelId,
    /** Resolves to the id of the conversation. */
    apply: (...actions: Parameters<typeof applyActions>[2]) =>
      applyActions(at.stack.store, { accountId: at.stack.accountId, channelId }, actions),
    request: (id: string, text: string, name: string) =>
      visitorSays(id, text, {
        kind: 'request_handoff',
        conversation: { external_id: id, contact: { name } },
      }),
    thread: (page: Page) => page.getByRole('region', { name: 'Messages' }),
  };
}
