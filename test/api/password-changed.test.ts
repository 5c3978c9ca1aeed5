import { expect } from 'chai';
import { PASSWORD, type Person, personOf } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';
import { signIn } from './support/sign-in.ts';

const NEW = 'another long password';

describe('api: a changed password', () => {
  const api = useApi();
  let person: Person;
  beforeEach(async () => {
    person = await api.addPerson(await api.addAccount(), 'owner');
  });

  const signInWith = (password: string) => signIn(api.app, { email: person.me.user.email, password });
  const change = (who: Person, new_password: string) =>
    who.call('put', '/session/password', { current_password: PASSWORD, new_password });

  it('opens no session for a sign-in with the old one that was in progress', async () => {
    const { sessions } = api.store;
    const { insertSession } = sessions;
    sessions.insertSession = async (session) => {
      sessions.insertSession = insertSession;
      // A change that ends all existing sessions overtakes the new session on its way to the store.
      expect((await change(person, NEW)).status).to.equal(204);
      return insertSession(session);
    };
    expectProblem(await signInWith(PASSWORD), 'sign_in_failed');
    expect((await person.read('/sessions')).items).to.have.length(1);
    expect((await signInWith(NEW)).status).to.equal(200);
  });

  it('cannot be changed again by a concurrent request with the old one', async () => {
    const { headers } = await signInWith(PASSWORD);
    const [cookie] = (headers['set-cookie'] as unknown as string[])[0]?.split(';') ?? [];
    const other = personOf(api.replicas[1]?.app as never, person.me, cookie as string);
    const answers = await Promise.all([change(person, NEW), change(other, 'their long password')]);
    const done = answers.filter(({ status }) => status === 204);
    expect(done).to.have.length(1);
  });
});
