import {
  type Entry,
  INITIAL_STATE,
  type MailboxState,
  type Result,
  type TakenEntry,
  type Turn,
} from '@sluice/outbound/queue/turn';
import { expect } from 'chai';
import { claimLoaded } from './claim-loaded.ts';
import { digestOf } from './digest-of.ts';
import type { Step } from './mailbox-step.ts';
import type { ModelDeps } from './model-deps.ts';
import { unlessCrashed, untilAlive } from './until-alive.ts';
import { ACCOUNT, change, subscription } from './use-mailboxes.ts';

interface HeldTurn {
  readonly turn: Turn;
  readonly open: Map<number, TakenEntry>;
}

const MAILBOX = 'sub_1';

/** Runs a history on the real scripts with several dispatchers, and compares each response with what was done before. */
export function createMailboxModel({
  redis,
  keyspace,
  mailboxes,
  directory,
  clock,
  ordered,
  inMongo,
}: ModelDeps) {
  const pushed = new Map<string, string>();
  const done = new Set<string>();
  const due = new Map<number, number>();
  const turns: HeldTurn[] = [];
  let live: { token: string; until: number } | undefined;
  let state: MailboxState = INITIAL_STATE;
  let notBefore = 0;
  let paused = false;
  let isOrdered = ordered;
  let alwaysOrdered = ordered;
  let version = 1;
  let freshFrom = 0;

  const publish = async () => {
    version += 1;
    const put = [subscription({ version, ordered: isOrdered, paused: paused ? 'by_admin' : null })];
    const fence = await directory.fence(ACCOUNT);
    await directory.publish(ACCOUNT, fence, { put, remove: [], wantsEvents: false });
  };
  const pushAll = async (changes: readonly (readonly [string, string])[]) => {
    const list = await directory.version(ACCOUNT);
    if (list.status !== 'version') throw new Error(list.status);
    const asked = changes.map(([id, recordId]) => change(id, { recordId }));
    const push = () => mailboxes.push(ACCOUNT, list.version, asked);
    expect(await untilAlive(push)).to.deep.equal({ status: 'pushed' });
  };

  /** By number, in Redis and in MongoDB. */
  const waitingEntries = async () => {
    const found = await mailboxes.list(ACCOUNT, MAILBOX, { after: 0, limit: 10_000 });
    const [from, to] = await redis.hmget(keyspace.mailbox(MAILBOX), 'over_from', 'over_to');
    const isInRange = ({ number }: Entry) => from && number >= Number(from) && number <= Number(to);
    const rows = new Map((inMongo?.() ?? []).filter(isInRange).map((entry) => [entry.number, entry]));
    return [...found, ...rows.values()].sort((a, b) => a.number - b.number);
  };

  /** Checks entries that a script has just given. */
  const receive = async (held: HeldTurn, entries: readonly TakenEntry[]) => {
    const now = await clock.now();
    if (entries.length === 0) return;
    expect(paused, 'nothing is taken while paused').to.equal(false);
    expect(notBefore, 'notBefore is kept').to.be.at.most(now);
    if (state.probing) expect(entries.length + held.open.size, 'one at a time is probed').to.equal(1);
    for (const entry of entries) {
      expect(pushed.has(entry.changeId), 'it was pushed').to.equal(true);
      expect(done.has(entry.changeId), 'it is not done yet').to.equal(false);
      if (!state.probing) expect(due.get(entry.number) ?? 0, 'it is due').to.be.at.most(now + 50);
      held.open.set(entry.number, entry);
    }
    if (!isOrdered) return;
    const records = [...held.open.values()].map(({ recordId }) => recordId);
    expect(new Set(records).size, 'one entry of a record is attempted').to.equal(records.length);
    for (const { number, recordId } of alwaysOrdered ? entries : []) {
      const waiting = await waitingEntries();
      const first = waiting.find((one) => one.recordId === recordId)?.number;
      expect(number, 'no entry passes an earlier one of its record').to.equal(first);
    }
  };

  const resultsOf = (held: HeldTurn, outcomes: readonly number[], now: number): Result[] =>
    [...held.open.keys()].slice(0, outcomes.length).map((number, index) => {
      const outcome = outcomes[index] as number;
      if (outcome === 0) return { number, outcome: 'done' };
      return outcome === 1
        ? { number, outcome: 'given_back' }
        : { number, outcome: 'again', dueAt: now + outcome * 1_000 };
    });

  async function settle(step: Extract<Step, { do: 'settle' }>) {
    const held = turns[step.turn % turns.length] as HeldTurn;
    const results = resultsOf(held, step.outcomes, Date.now());
    const mine = live?.token === held.turn.token;
    const before = mine ? '' : await digestOf(redis, keyspace);
    const lastProbed = [...held.open.values()][0]?.recordId ?? null;
    const next = { ...INITIAL_STATE, probing: step.probing, lastProbed, notBefore: Date.now() + step.waitMs };
    const now = await clock.now();
    const settling = mailboxes.settle(held.turn, { results, state: next, more: step.more });
    const settled = await unlessCrashed(settling, { status: 'ended' });
    if (!mine) {
      expect(settled).to.deep.equal({ status: 'lost' });
      expect(await digestOf(redis, keyspace), 'a lost turn changes nothing').to.equal(before);
      return;
    }
    // The turn began before the receiver had a new start.
    const isOld = held.turn.subscription.version < freshFrom;
    const opens = !isOld && state.probing && !next.probing;
    if (opens) due.clear();
    for (const result of results) {
      const entry = held.open.get(result.number) as TakenEntry;
      held.open.delete(result.number);
      if (result.outcome === 'done') done.add(entry.changeId);
      if (result.outcome === 'again' && !opens && !isOld)
        due.set(result.number, now + result.dueAt - Date.now());
    }
    if (!isOld) {
      state = next;
      notBefore = step.waitMs === 0 ? 0 : now + step.waitMs - 50;
    }
    expect(settled.status).to.not.equal('lost');
    if (settled.status === 'go_on') {
      live = { token: held.turn.token, until: now + 10_000 };
      await receive(held, settled.entries);
      expect(held.open.size, 'a turn goes on with entries').to.be.above(0);
    } else {
      live = undefined;
      expect(held.open.size, 'a turn ends without entries').to.equal(0);
    }
  }

  async function claim(perTurn: number) {
    const now = await clock.now();
    const [turn] = await claimLoaded(mailboxes, { shard: 0, limit: 5, perTurn });
    const lives = live !== undefined && live.until > now;
    if (!lives && live !== undefined) live = undefined;
    if (turn === undefined) return;
    expect(lives, 'a mailbox has one turn').to.equal(false);
    const held: HeldTurn = { turn, open: new Map() };
    turns.push(held);
    live = { token: turn.token, until: now + 10_000 };
    await receive(held, turn.entries);
  }

  async function run(step: Step) {
    switch (step.do) {
      case 'push': {
        const changes = step.records.map((record, index) => [`c${pushed.size + index}`, record] as const);
        await pushAll(changes);
        for (const [id, record] of changes) pushed.set(id, record);
        return;
      }
      case 'push_again': {
        const known = [...pushed];
        if (known.length > 0) await pushAll([known[step.which % known.length] as [string, string]]);
        return;
      }
      case 'claim':
        return claim(step.perTurn);
      case 'settle':
        return turns.length === 0 ? undefined : settle(step);
      case 'renew': {
        if (turns.length === 0) return;
        const held = turns[step.turn % turns.length] as HeldTurn;
        const { status } = await mailboxes.renew(held.turn);
        const mine = live?.token === held.turn.token;
        expect(status === 'lost', 'only a lost turn is lost').to.equal(!mine);
        if (mine) live = { token: held.turn.token, until: (await clock.now()) + 10_000 };
        if (paused) expect(status).to.not.equal('leased');
        return;
      }
      case 'advance':
        await clock.advance(step.ms);
        return;
      case 'pause': {
        const resumes = paused && !step.paused;
        paused = step.paused;
        await publish();
        if (!resumes) return;
        freshFrom = version;
        state = INITIAL_STATE;
        notBefore = 0;
        due.clear();
        return;
      }
      case 'order':
        // A mailbox that becomes ordered looks for the heads of its records, so all that failed is due (directory.lua.ts).
        if (step.ordered && !isOrdered) due.clear();
        isOrdered = step.ordered;
        alwaysOrdered = alwaysOrdered && isOrdered;
        return publish();
    }
  }

  /** The invariants after every step. */
  async function check() {
    const entries = await waitingEntries();
    const waiting = entries.map(({ changeId }) => changeId).sort();
    const expected = [...pushed.keys()].filter((id) => !done.has(id)).sort();
    expect(waiting, 'each pushed entry waits once until it is done').to.deep.equal(expected);
    const [token, score] = await Promise.all([
      redis.hget(keyspace.mailbox(MAILBOX), 'token'),
      redis.zscore(keyspace.turns, MAILBOX),
    ]);
    if (waiting.length > 0 && (token !== null || !paused))
      expect(score, 'a mailbox with entries is in turns').to.not.equal(null);
  }

  /** Delivers all that waits, as one patient dispatcher. */
  async function drain() {
    paused = false;
    await publish();
    for (let rounds = 0; rounds < 1_000; rounds += 1) {
      await clock.advance(100_000);
      live = undefined;
      state = INITIAL_STATE;
      notBefore = 0;
      due.clear();
      const [turn] = await claimLoaded(mailboxes, { shard: 0, limit: 1, perTurn: 5 });
      if (turn === undefined) break;
      for (const { changeId } of turn.entries) done.add(changeId);
      const results = turn.entries.map(({ number }) => ({ number, outcome: 'done' as const }));
      await mailboxes.settle(turn, { results, state: INITIAL_STATE, more: 0 });
    }
    await check();
    expect(done.size, 'every entry was delivered').to.equal(pushed.size);
    const left = await redis.keys(`${keyspace.prefix}:mailbox-*`);
    const empty = left.filter((key) => !key.includes('mailbox-ids'));
    expect(empty, 'an empty mailbox leaves only its hash').to.deep.equal([]);
    expect(await redis.zcard(keyspace.turns)).to.equal(0);
  }

  return { run, check, drain };
}
