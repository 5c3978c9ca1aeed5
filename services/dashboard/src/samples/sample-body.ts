/** Returns an upsert of an event that starts at an ISO 8601 time. The signature covers exactly these bytes. */
export function sampleEvent(startsAt: string): string {
  return JSON.stringify({
    action: 'upsert',
    event: { title: 'Open day', starts_at: startsAt, location: 'Berlin', price: 'Free' },
  });
}

/** Returns the first message of a conversation, which also asks for a person. */
export function sampleMessage(): string {
  return JSON.stringify({
    action: 'request_handoff',
    conversation: {
      external_id: 'chat-1',
      subject: 'Tickets for the open day',
      contact: { name: 'Ada Lovelace', email: 'ada@example.com' },
    },
    message: { external_id: 'chat-1-1', author: 'visitor', text: 'Can I still get a ticket?' },
  });
}
