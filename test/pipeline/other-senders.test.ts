import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Mapping, readMapping } from '@sluice/signature/mapping/mapping';
import { PRESETS, type PresetName, senderOf } from '@sluice/signature/presets/presets';
import { signAs } from '@sluice/signature/sender/sign-as';
import { expect } from 'chai';
import { sluice } from '../cli/support.ts';
import type { TestSource } from '../support/ingress.ts';
import { usePipeline } from '../support/pipeline.ts';
import { type Answer, post } from '../support/post.ts';
import { LIVES, type Life } from './support/sender-lives.ts';

type Step = Life['steps'][number];

/** The example on the page of a preset that has no mapping of its own. */
async function exampleOf(preset: PresetName): Promise<Mapping> {
  const page = await readFile(new URL(`../../docs/senders/${preset}.md`, import.meta.url), 'utf8');
  const [, json = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const read = readMapping(JSON.parse(json));
  if (read.outcome === 'valid') return read.mapping;
  throw new Error(JSON.stringify(read.errors));
}

describe('what other senders send', function () {
  this.timeout(240_000);
  const pipeline = usePipeline();

  function send(
    preset: PresetName,
    { path, secret }: TestSource,
    [, sent, , headers]: Life['steps'][number],
  ) {
    const body = Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent));
    const signature = signAs(PRESETS[preset].verify, { secret, body, id: randomUUID(), nowMs: Date.now() });
    const json = { 'content-type': 'application/json' };
    return post(pipeline.urls[0] + path, { body, headers: { ...json, ...signature, ...headers } });
  }

  for (const [preset, { steps, events, usesExample, unapplied = [] }] of Object.entries(LIVES) as [
    PresetName,
    Life,
  ][])
    it(`${preset}: ${steps.map(([what]) => what).join(', ')}`, async () => {
      const source = await pipeline.addSource();
      const mapping = usesExample ? await exampleOf(preset) : undefined;
      const pasted = await pipeline.setSender(source, senderOf(preset), mapping);
      const answers: Answer[] = [];
      for (const step of steps) answers.push(await send(preset, pasted, step));
      const rows = await pipeline.logged(source, steps.length);
      const rowOf = (n: number) => rows.find((row) => row.delivery_id === answers[n]?.body.delivery_id);
      const seen = steps.map(([what], n) => [what, answers[n]?.status, rowOf(n)?.outcome]);
      expect(seen).to.deep.equal(steps.map(([what, , outcome]) => [what, 200, outcome]));
      const mapped = steps.map(([what], n) => [what, rowOf(n)?.mapped?.preset]);
      const isMapped = usesExample || PRESETS[preset].mapping !== undefined;
      expect(mapped).to.deep.equal(steps.map(([what]) => [what, isMapped ? preset : undefined]));
      const why = steps.flatMap((_, n) => rowOf(n)?.unapplied ?? []);
      expect(why).to.deep.equal(unapplied);
      const stored = await pipeline.events(source);
      const shown = stored.map(({ title, starts_at, status, location, url }) =>
        [title, new Date(starts_at).toISOString(), status, location, url].filter((value) => value),
      );
      expect(shown).to.have.deep.members(events);
    });

  it('is mapped again by another mapping, oldest first, unless its event has changed since', async () => {
    const source = await pipeline.addSource();
    const ours = await pipeline.setSender(source, senderOf('ticket-tailor'), { rules: [] });
    const [made, moved, , foreign] = (LIVES['ticket-tailor']?.steps ?? []) as [Step, Step, Step, Step];
    const ofOther = (id: string): Step => {
      const body = made[1] as { payload: object };
      return ['made', { ...body, id, payload: { ...body.payload, id: 'ev_2' } }, 'created'];
    };
    for (const step of [made, moved, ofOther('wh_1'), foreign]) await send('ticket-tailor', ours, step);
    await pipeline.logged(source, 4);
    const map = async (options: string) => {
      const args = ['source', 'mapping', source.sourceId, ...options.split(' '), '--json'];
      const { code, rows, stderr } = await sluice(args, { env: pipeline.env });
      expect(code, stderr).to.equal(0);
      return rows;
    };
    await map('--remove');
    await send('ticket-tailor', ours, ofOther('wh_2'));
    await pipeline.logged(source, 5);
    const shown = await map('--again --dry-run');
    expect(shown.map(({ outcome, action }) => [outcome, action])).to.deep.equal([
      ['action', 'upsert'],
      ['action', 'upsert'],
      ['overtaken', 'upsert'],
      ['ignored', null],
      [undefined, undefined],
    ]);
    const counts = { still_ignored: 1, still_failed: 0, overtaken: 1 };
    expect(shown.at(-1)).to.deep.equal({ summary: { applicable: 2, ...counts } });
    expect(await pipeline.events(source)).to.have.length(1);
    expect(await map('--again')).to.deep.equal([{ summary: { applied: 2, ...counts } }]);
    const rows = (await pipeline.logged(source, 7)).filter(({ reprocess_of }) => reprocess_of !== undefined);
    expect(rows.map(({ outcome }) => outcome)).to.have.members(['created', 'updated']);
    for (const { mapped } of rows)
      expect(mapped).to.deep.equal({ preset: 'ticket-tailor', version: 3, rule: 0 });
    const starts = (await pipeline.events(source)).map(({ starts_at }) => new Date(starts_at).toISOString());
    expect(starts).to.have.members(['2027-02-01T18:30:00.000Z', '2027-02-08T18:30:00.000Z']);
    expect(await map('--again')).to.deep.equal([{ summary: { applied: 0, ...counts } }]);
  });
});
