import { expect } from 'chai';
import { typedSince } from '../../services/dashboard/src/ui/typed-since.ts';

describe('dashboard: what is typed while a save runs', () => {
  it('is what differs from the sent fields, also a field that was cleared or added', () => {
    const sent: { name: string; url?: string; note?: string } = { name: 'One', url: 'https://one.example' };
    expect(typedSince(sent, sent)).to.deep.equal({});
    expect(typedSince(sent, { ...sent, url: '' })).to.deep.equal({ url: '' });
    expect(typedSince(sent, { ...sent, note: 'New' })).to.deep.equal({ note: 'New' });
  });
});
