import { REFUSING } from '@sluice/contract/message/source-refusing';
import { eraseLead } from '@sluice/leads/change/erase-lead';
import { expect } from 'chai';
import type { TestSource } from './ingress.ts';
import type { Pipeline } from './pipeline.ts';
import { type Answer, postTo } from './post.ts';

type Sending = Pick<Pipeline, 'urls' | 'logged'>;

/** Sends a signed request to the endpoint of a source or channel. */
export function sendTo(
  { urls }: Pick<Pipeline, 'urls'>,
  source: Pick<TestSource, 'path' | 'secret'>,
  body: object,
): Promise<Answer> {
  return postTo(urls[0] as string, source, body);
}

/** Creates, changes, cancels and deletes an event, by the first four deliveries of its source. The last one creates the event that replaces it. */
export async function changeEvent(pipeline: Sending, source: TestSource): Promise<void> {
  const event = { title: 'Fair', starts_at: '2030-04-01T08:00:00Z', location: 'Hall' };
  const bodies = [
    { action: 'upsert', event },
    { action: 'upsert', event: { ...event, price: 'Free' } },
    { action: 'cancel', event },
    { action: 'upsert', event: { ...event, external_id: 'fair' } },
  ];
  for (const [index, body] of bodies.entries()) {
    expect((await sendTo(pipeline, source, body)).status).to.equal(200);
    await pipeline.logged(source, index + 1);
  }
}

/** Sends as many wrong requests as a source reports. */
export async function refuse(pipeline: Sending, source: TestSource): Promise<void> {
  const body = { action: 'upsert', event: { title: 'Fair', starts_at: 'soon' } };
  for (let n = 0; n < REFUSING.refusals; n++)
    expect((await sendTo(pipeline, source, body)).status).to.equal(400);
}

/** Erases a lead like a process that dies before it can publish the change. The sweepers tell it. */
export async function erasePending(
  { store }: Pick<Pipeline, 'store'>,
  accountId: string,
  leadId: string,
): Promise<void> {
  const actor = { type: 'system', id: 'test' } as const;
  const deps = { ...store, linkWaiting: async () => {}, publisher: { publishSoon: () => {} }, now: Date.now };
  const erased = await eraseLead(deps as never, { accountId, leadId, actor });
  expect(erased.status).to.equal('erased');
}
