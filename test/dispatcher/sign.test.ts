import { randomBytes } from 'node:crypto';
import { messageKey, signatures } from '@sluice/signature/standard-webhooks';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';

const secret = () => `whsec_${randomBytes(48).toString('base64')}`;
const message = {
  messageId: 'msg_1',
  // Each test sets it. The library rejects a message that is over five minutes old, and a whole section takes longer.
  timestamp: 0,
  body: '{"id":"msg_1","data":{"name":"Größe"}}',
};
const headers = (signature: string) => ({
  'webhook-id': message.messageId,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': signature,
});

describe('dispatcher: signatures', () => {
  beforeEach(() => {
    message.timestamp = Math.floor(Date.now() / 1000);
  });

  it('are verified by the published Standard Webhooks library', () => {
    const one = secret();
    const signed = signatures([messageKey(one)], message);
    expect(new Webhook(one).verify(message.body, headers(signed))).to.deep.equal(JSON.parse(message.body));
    expect(() => new Webhook(secret()).verify(message.body, headers(signed))).to.throw();
    expect(() => new Webhook(one).verify(`${message.body} `, headers(signed))).to.throw();
  });

  it('of an overlap are verified with each secret, and separated by exactly one space', () => {
    const [old, current] = [secret(), secret()];
    const signed = signatures([messageKey(current), messageKey(old)], message);
    expect(signed).to.match(/^v1,[A-Za-z0-9+/]+=* v1,[A-Za-z0-9+/]+=*$/);
    for (const one of [old, current]) new Webhook(one).verify(message.body, headers(signed));
  });
});
