import { PRESETS } from '@sluice/signature/presets/presets';
import { signAs } from '@sluice/signature/sender/sign-as';
import { expect } from 'chai';
import { startIngress, type TestSource } from '../support/ingress.ts';
import { post } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { use } from '../support/use.ts';

const FORM = 'application/x-www-form-urlencoded';
const RULE = {
  do: 'upsert',
  event: { title: { at: '/payload/name' }, starts_at: { at: '/payload/at' }, location: { at: '/room/1' } },
};

describe('ingress: forms and JSON by another name', () => {
  const ingress = use(startIngress);
  const addSource = (mapping?: object) =>
    ingress.addSource({
      sender: {
        ...{ preset: 'github', verify: PRESETS.github.verify },
        ...(mapping && { mapping: JSON.stringify(mapping), mapping_version: 1 }),
      },
    });
  const send = ({ path, secret }: TestSource, type: string, text: string) => {
    const body = Buffer.from(text);
    const signature = signAs(PRESETS.github.verify, { secret, body, id: '', nowMs: 0 });
    return post(ingress.url + path, { body, headers: { ...signature, 'content-type': type } });
  };
  const booking = { name: 'Yoga', at: '2027-03-01T10:00:00Z' };
  const form = (payload: string) =>
    new URLSearchParams([
      ['room', 'A'],
      ['room', 'B'],
      ['payload', payload],
    ]).toString();
  const mapped = { form: { json: 'payload' }, rules: [RULE] };

  it('a mapping reads a form: texts, lists of repeated names, and JSON in a field', async () => {
    const source = await addSource(mapped);
    expect((await send(source, `${FORM}; charset=utf-8`, form(JSON.stringify(booking)))).status).to.equal(
      200,
    );
    const sent = (await ingress.enqueuedActions()).find(({ source_id }) => source_id === source.sourceId);
    expect(sent?.action.identity).to.include({ title: 'Yoga', location: 'B' });
    expect(sent?.request?.body).to.equal(form(JSON.stringify(booking)));
  });

  it('a form that cannot be read is a 200 with the reason', async () => {
    const source = await addSource(mapped);
    const broken = await send(source, FORM, form('{'));
    expect(broken.body.note).to.contain('The field payload of the form: The body is not valid JSON');
    const many = await send(source, FORM, 'a=1&'.repeat(201));
    expect(many.body.note).to.contain('more than 200 fields');
    const inherited = await send(source, FORM, '__proto__=1&constructor=2&payload=3');
    expect(inherited.body.note).to.contain('title (/payload/name): Required');
  });

  it('a source whose mapping reads no forms, one of Sluice and an unknown one answer 415', async () => {
    const own = await ingress.addSource();
    const answers = [
      await send(await addSource({ rules: [RULE] }), FORM, form('{}')),
      await send(await addSource(), FORM, form('{}')),
      await send({ ...own, path: own.path.slice(0, -3).concat('000') }, FORM, form('{}')),
      ...(await Promise.all(
        [FORM, 'application/cloudevents+json'].map((type) => {
          const request = signed({ secret: own.secret, body: upsertBody() });
          return post(ingress.url + own.path, {
            ...request,
            headers: { ...request.headers, 'content-type': type },
          });
        }),
      )),
    ];
    for (const { body } of answers) expect(body).to.include({ status: 415, code: 'unsupported_media_type' });
  });

  it('JSON by another name is JSON, for a source with another sender', async () => {
    const source = await addSource();
    const body = JSON.stringify(upsertBody({ title: 'By another name' }));
    expect((await send(source, 'application/cloudevents+json; charset=utf-8', body)).status).to.equal(200);
    expect((await send(source, 'application/json+x', body)).status).to.equal(415);
  });
});
