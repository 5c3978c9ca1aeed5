import type { Bundle, ZObject } from 'zapier-platform-core';
import { messageHeaders, verifyMessage } from '../verify-message';

/** The message of a hook as what starts a Zap. A test of the subscription has a made-up record, so it starts none. */
export async function receive(z: ZObject, bundle: Bundle): Promise<Record<string, unknown>[]> {
  const message = await verifyMessage(z, bundle);
  return messageHeaders(bundle)['webhook-test'] === undefined ? [message] : [];
}
