import { version as platformVersion } from 'zapier-platform-core';
import { authentication } from './authentication';
import { createLead } from './creates/create-lead';
import { acceptHandoff, endHandoff } from './creates/handoff';
import { moveLead } from './creates/move-lead';
import { sendReply } from './creates/send-reply';
import { updateLead } from './creates/update-lead';
import { upsertLead } from './creates/upsert-lead';
import { authorizeRequest, throwProblem } from './middleware';
import { findConversation } from './searches/find-conversation';
import { findEvent } from './searches/find-event';
import { findLead } from './searches/find-lead';
import { triggers } from './triggers/triggers';

const { version } = require('../package.json') as { version: string };

/** The Zapier app: what `index.js` exports. */
export const app = {
  version,
  platformVersion,
  authentication,
  beforeRequest: [authorizeRequest],
  afterResponse: [throwProblem],
  // Keeps Zapier's own error for a 429 away, so that the user reads our sentence. The schema describes it the other way round.
  flags: { throwForThrottlingEarly: false, cleanInputData: true },
  triggers,
  creates: byKey([createLead, upsertLead, updateLead, moveLead, acceptHandoff, sendReply, endHandoff]),
  searches: byKey([findLead, findConversation, findEvent]),
  searchOrCreates: {
    // The create finds by email too, so that two Zaps at the same time make one lead.
    [findLead.key]: {
      key: findLead.key,
      display: {
        label: 'Find or Create Lead',
        description: 'Finds a lead, or creates it if there is none.',
      },
      search: findLead.key,
      create: upsertLead.key,
    },
  },
};

function byKey<T extends { readonly key: string }>(operations: readonly T[]): Record<string, T> {
  return Object.fromEntries(operations.map((operation) => [operation.key, operation]));
}
