import { EVENT_KINDS, messageSchema, SUBSCRIBABLE_KINDS } from '@sluice/contract/message/event-kinds';
import { messageBody, outboundText, sampleChange } from '@sluice/contract/message/outbound-text';
import { expect } from 'chai';
import * as z from 'zod';

describe('contract: event kinds', () => {
  it('describes every kind of change once', () => {
    const kinds = EVENT_KINDS.map(({ kind }) => kind);
    expect(new Set(kinds).size).to.equal(kinds.length);
  });

  it('offers every kind but replies and tests to subscriptions', () => {
    const left = EVENT_KINDS.map(({ kind }) => kind).filter((kind) => !SUBSCRIBABLE_KINDS.includes(kind));
    expect(left).to.deep.equal(['conversation.reply', 'webhook.test']);
  });

  for (const kind of EVENT_KINDS)
    it(`the made-up sample of ${kind.kind} has exactly the fields of its schema`, () => {
      const text = messageBody('msg_1', outboundText(sampleChange(kind.kind), 'acc_1'));
      const schema = messageSchema(kind);
      const data = schema.shape.data as z.ZodObject;
      const strict = z.strictObject({ ...schema.shape, data: z.strictObject(data.shape) });
      expect(strict.safeParse(JSON.parse(text)).error?.message).to.equal(undefined);
      expect(z.toJSONSchema(schema)).to.have.nested.property('properties.data.type', 'object');
    });
});
