import { expect } from 'chai';
import { type PeerOptions, peerForm, readPeer } from '../../bench/support/peer-options.ts';

const options = (more: Partial<PeerOptions> = {}): PeerOptions => ({
  peer: 'http://127.0.0.1:3333/publish',
  'peer-header': [],
  'peer-body': 'MESSAGE',
  'peer-receiver-port': '8099',
  'peer-id-header': 'webhook-id',
  'peer-processes': [],
  ...more,
});

describe('the options of the bench for a peer', () => {
  it('name no peer without a URL', () => {
    expect(readPeer(options({ peer: undefined }))).to.equal(undefined);
  });

  it('read a header up to its first colon', () => {
    const peer = readPeer(options({ 'peer-header': ['Authorization: Bearer a:b', 'X-Tenant:one'] }));
    expect(peer?.headers).to.deep.equal({ Authorization: 'Bearer a:b', 'X-Tenant': 'one' });
  });

  it('reject a header without a value, and do not show it', () => {
    const read = () => readPeer(options({ 'peer-header': ['secret-key'] }));
    expect(read).to.throw('--peer-header is NAME: VALUE');
    expect(read).not.to.throw('secret-key');
  });

  it('reject a body that leaves no place for the message, or two', () => {
    for (const body of ['{"data":1}', '[MESSAGE,MESSAGE]'])
      expect(() => readPeer(options({ 'peer-body': body }))).to.throw('--peer-body needs MESSAGE once');
  });

  it('match the command lines of each part', () => {
    const processes = ['ingress=server.-service.api', 'store=beam|postgres: peer: a=b'];
    const peer = readPeer(options({ 'peer-processes': processes }));
    expect(peer?.processes.ingress?.test('bin/server\0-service\0api')).to.equal(true);
    expect(peer?.processes.ingress?.test('bin/server\0-service\0log')).to.equal(false);
    expect(peer?.processes.store?.test('postgres: peer: a=b')).to.equal(true);
    expect(peer?.processes).to.have.keys('ingress', 'store');
  });

  it('reject processes of an unknown part', () => {
    expect(() => readPeer(options({ 'peer-processes': ['broker=beam'] }))).to.throw(
      '--peer-processes is PART=PATTERN with one of ingress, worker, dispatcher, redis, store',
    );
  });

  it('each make another journal, which has no header in it', () => {
    const formOf = (more: Partial<PeerOptions>) => {
      const peer = readPeer(options(more));
      return JSON.stringify(peer && peerForm(peer));
    };
    const forms = [
      {},
      { peer: 'http://127.0.0.1:4444/publish' },
      { 'peer-header': ['Authorization: Bearer secret-key'] },
      { 'peer-header': ['Authorization: Bearer other'] },
      { 'peer-body': '{"data":MESSAGE}' },
      { 'peer-receiver-port': '8100' },
      { 'peer-id-header': 'x-id' },
      { 'peer-processes': ['store=beam'] },
      { 'peer-processes': ['store=postgres'] },
      { 'peer-processes': ['worker=beam'] },
    ].map(formOf);
    expect(new Set(forms).size).to.equal(forms.length);
    for (const form of forms) expect(form).not.to.contain('secret-key');
  });
});
