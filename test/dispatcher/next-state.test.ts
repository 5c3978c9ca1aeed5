import { DAY_MS } from '@sluice/contract/time/durations';
import { type Finished, isFailing, MAX_CONCURRENCY, nextState } from '@sluice/dispatcher/judge/next-state';
import { INITIAL_STATE, type ReceiverState } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';

const NOW = Date.parse('2027-01-01T00:00:00Z');
const attempt = (recordId: string, delivered: boolean, more: Partial<Finished> = {}): Finished => ({
  recordId,
  delivered,
  durationMs: 10,
  holdMs: null,
  onlySuccessCounts: false,
  ...more,
});
const stateAfter = (state: ReceiverState, finished: readonly Finished[], now = NOW) =>
  nextState(state, finished, { now, random: () => 0.5 });
const failures = (...records: string[]) => records.map((one) => attempt(one, false));

describe('dispatcher: the health of a receiver', () => {
  it('closes a subscription after failures of five different records, and not before', () => {
    const four = stateAfter(INITIAL_STATE, failures('a', 'b', 'c', 'd'));
    expect(four.probing).to.equal(false);
    expect(stateAfter(four, failures('d', 'd')).probing).to.equal(false);
    expect(stateAfter(four, failures('e'))).to.deep.include({
      probing: true,
      notBefore: NOW + 5000,
      lastProbed: 'e',
    });
  });

  it('never closes a subscription because of one message that a receiver chokes on', () => {
    const bad = Array.from({ length: 50 }, () => attempt('bad', false));
    expect(stateAfter(INITIAL_STATE, bad)).to.deep.include({ probing: false, notBefore: 0 });
  });

  it('waits five seconds before the first probe, however many attempts under way fail with the fifth', () => {
    const records = Array.from({ length: 16 }, (_, n) => `record-${n}`);
    const closed = stateAfter(INITIAL_STATE, failures(...records));
    expect(closed).to.deep.include({
      probing: true,
      notBefore: NOW + 5000,
      round: 1,
      lastProbed: 'record-4',
    });
    const held = stateAfter(INITIAL_STATE, [
      ...failures(...records),
      attempt('last', false, { holdMs: 90_000 }),
    ]);
    expect(held).to.deep.include({ notBefore: NOW + 90_000, round: 1 });
  });

  it('forgets all failures at one success', () => {
    const closed = stateAfter(INITIAL_STATE, failures('a', 'b', 'c', 'd', 'e'));
    const open = {
      probing: false,
      notBefore: 0,
      failedRecords: [],
      round: 0,
      firstFailureAt: null,
      lastProbed: null,
    };
    expect(stateAfter(closed, [attempt('a', true)])).to.deep.include(open);
  });

  it('probes at growing waits, and once an hour after five days without a success', () => {
    let state = stateAfter(INITIAL_STATE, failures('a', 'b', 'c', 'd', 'e'));
    state = stateAfter(state, failures('f'), NOW + 5000);
    expect(state.notBefore).to.equal(NOW + 5000 + 60_000);
    expect(isFailing(state, NOW + 5 * DAY_MS - 1)).to.equal(false);
    expect(isFailing(state, NOW + 5 * DAY_MS)).to.equal(true);
    const late = NOW + 6 * DAY_MS;
    expect(stateAfter(state, failures('g'), late).notBefore).to.equal(late + 3_600_000);
  });

  it('tries a receiver of a single record once an hour too, after five days without a success', () => {
    const state = stateAfter(INITIAL_STATE, failures('a'));
    expect(stateAfter(state, failures('a'), NOW + 5 * DAY_MS - 1)).to.include({
      probing: false,
      notBefore: 0,
    });
    const late = NOW + 5 * DAY_MS;
    const hourly = { probing: true, notBefore: late + 3_600_000 };
    expect(stateAfter(state, failures('a'), late)).to.include(hourly);
    const marked = { now: NOW + DAY_MS, random: () => 0.5, isFailing: true };
    const again = { probing: true, notBefore: NOW + DAY_MS + 3_600_000 };
    expect(nextState(state, failures('b'), marked)).to.include(again);
    const healed = [attempt('b', true), attempt('c', false)];
    expect(nextState(state, healed, marked)).to.include({ probing: false, notBefore: 0 });
  });

  it('is failing once a message is lost and none was accepted meanwhile: nothing would wait to show it', () => {
    const state = stateAfter(INITIAL_STATE, failures('a'));
    const lost = [attempt('a', false, { isLost: true })];
    expect(isFailing(state, NOW + 3 * DAY_MS, lost)).to.equal(true);
    expect(isFailing(state, NOW + 3 * DAY_MS, failures('a'))).to.equal(false);
    expect(isFailing(stateAfter(state, [attempt('b', true)]), NOW + 3 * DAY_MS, lost)).to.equal(false);
    expect(isFailing(state, NOW + DAY_MS, lost)).to.equal(false);
  });

  it('holds all messages for as long as a receiver asks', () => {
    expect(stateAfter(INITIAL_STATE, [attempt('a', false, { holdMs: 90_000 })]).notBefore).to.equal(
      NOW + 90_000,
    );
  });

  it('does not count a failed redelivery against the receiver', () => {
    const again = ['a', 'b', 'c', 'd', 'e'].map((one) => attempt(one, false, { onlySuccessCounts: true }));
    expect(stateAfter(INITIAL_STATE, again)).to.deep.include({
      probing: false,
      firstFailureAt: null,
      failedRecords: [],
    });
  });

  it('sends more at once to a quick receiver, and fewer to one that is slow or fails', () => {
    const many = Array.from({ length: 40 }, (_, n) => attempt(String(n), true));
    const quick = stateAfter(INITIAL_STATE, many);
    expect(quick.concurrency).to.equal(MAX_CONCURRENCY);
    expect(stateAfter(quick, [attempt('a', true, { durationMs: 6000 })]).concurrency).to.equal(
      MAX_CONCURRENCY / 2,
    );
    expect(stateAfter(quick, failures('a', 'b', 'c', 'd', 'e')).concurrency).to.equal(1);
    expect(stateAfter(quick, [attempt('a', true, { durationMs: 2000 })]).concurrency).to.equal(
      MAX_CONCURRENCY,
    );
  });
});
