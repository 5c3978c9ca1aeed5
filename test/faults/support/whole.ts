import { expect } from 'chai';
import type { TestSource } from '../../support/ingress.ts';
import type { Try } from '../../support/load.ts';
import type { Pipeline } from '../../support/pipeline.ts';
import { until } from '../../support/until.ts';
import { judge, type Verdict } from './verdict.ts';

/** The groups of a killed worker wait for their locks, and a backlog waits for workers. */
const DRAINED_WITHIN_MS = 180_000;

/** Resolves once no group waits and no worker processes one. */
async function drained(pipeline: Pipeline): Promise<void> {
  await until(async () => (await pipeline.queued()).waiting === 0, {
    what: 'the queues are empty',
    withinMs: DRAINED_WITHIN_MS,
  });
}

/** Waits until everything is applied, and judges it by what MongoDB contains then. */
export async function verdictOn(
  pipeline: Pipeline,
  source: TestSource,
  tries: readonly Try[],
): Promise<Verdict> {
  await drained(pipeline);
  return judge(await pipeline.deliveries(source), await pipeline.events(source), tries);
}

/** A load with so few accepted requests proves nothing. */
export const FEW_ACCEPTED = 50;

export function expectWhole(verdict: Verdict): void {
  expectFaultless(verdict);
  expect(verdict.accepted, 'a load with few accepted requests proves nothing').to.be.above(FEW_ACCEPTED);
}

/** The same for a load of which few requests may be accepted. */
export function expectFaultless({ lost, doubled, outOfOrder, wrongEvents }: Verdict): void {
  expect({ lost, doubled, outOfOrder, wrongEvents }).to.deep.equal({
    lost: 0,
    doubled: 0,
    outOfOrder: 0,
    wrongEvents: 0,
  });
}

/** Senders retry what is not accepted: every response is a 200 or a 503. */
export function expectOnlyRefusals(tries: readonly Try[]): void {
  const others = tries
    .flatMap(({ answer }) => answer ?? [])
    .filter(({ status }) => ![200, 503].includes(status));
  expect(others, 'responses that are neither 200 nor 503').to.deep.equal([]);
}

/** The verdict as text for the report. */
export function inWords(verdict: Verdict): string {
  const { requests, accepted, refused, unanswered, applied, lost, doubled, outOfOrder, wrongEvents } =
    verdict;
  return (
    `${requests} requests, ${accepted} answered 200, ${refused} rejected, ${unanswered} unanswered, ${applied} applied; ` +
    `lost ${lost}, doubled ${doubled}, out of order ${outOfOrder}, wrong events ${wrongEvents}`
  );
}
