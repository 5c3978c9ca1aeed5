import { checkReplyUrl, REPLY_URL_MAX } from '@sluice/contract/reply-url';
import { expect } from 'chai';

const detailOf = (text: string, allowHttp = false): string => {
  const checked = checkReplyUrl(text, { allowHttp });
  return checked.ok ? `accepted ${checked.url}` : checked.detail;
};

describe('contract: the reply URL of a channel', () => {
  it('accepts an https URL, and returns it as WHATWG writes it', () => {
    expect(detailOf(' https://Chat.Example.com/replies?tenant=1 ')).to.equal(
      'accepted https://chat.example.com/replies?tenant=1',
    );
  });

  it('rejects http, unless the installation allows private networks', () => {
    expect(detailOf('http://127.0.0.1:3000/replies')).to.contain('https only');
    expect(detailOf('http://127.0.0.1:3000/replies', true)).to.equal(
      'accepted http://127.0.0.1:3000/replies',
    );
  });

  it('rejects other schemes, even where http is allowed', () => {
    for (const text of ['ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:,x'])
      expect(detailOf(text, true), text).to.contain('https only');
  });

  it('rejects a user name, a password and a fragment', () => {
    expect(detailOf('https://ada:secret@example.com/')).to.contain('user name');
    expect(detailOf('https://ada@example.com/')).to.contain('user name');
    expect(detailOf('https://example.com/#part')).to.contain('fragment');
    expect(detailOf('https://example.com/#')).to.contain('fragment');
  });

  it('rejects text that is not a URL, and one that is too long', () => {
    for (const text of ['', 'chat', '/replies', 'https://', 'https://example.com/\ud800'])
      expect(detailOf(text), text).to.contain('Not a URL');
    const longest = `https://example.com/${'x'.repeat(REPLY_URL_MAX - 20)}`;
    expect(detailOf(longest)).to.equal(`accepted ${longest}`);
    expect(detailOf(`${longest}x`)).to.contain('Longer than');
  });
});
