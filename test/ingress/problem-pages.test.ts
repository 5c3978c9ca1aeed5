import { WEBHOOK_PROBLEMS } from '@sluice/contract/problem/problem';
import { expect } from 'chai';
import { useIngress } from '../support/ingress.ts';

describe('ingress: the pages of problems', () => {
  const ingress = useIngress();

  it('the type of every problem is a page on this host that says what to do', async () => {
    for (const code of [...WEBHOOK_PROBLEMS, 'not_found']) {
      const response = await fetch(`${ingress.url}/problems/${code}`);
      expect(response.status, code).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      const page = await response.text();
      expect(page).to.contain(`<code>${code}</code>`).and.not.contain('<p></p>');
    }
  });

  it('the type of a real rejection resolves against its URL', async () => {
    const url = `${ingress.url}/api/v1/events/webhook/src_1`;
    const { type } = (await (await fetch(url)).json()) as { type: string };
    expect((await fetch(new URL(type, url))).status).to.equal(200);
  });

  for (const path of ['nothing', 'key_missing', 'toString', '%E0', ''])
    it(`/problems/${path} is no page`, async () => {
      const response = await fetch(`${ingress.url}/problems/${path}`);
      expect(response.status).to.be.oneOf([400, 404]);
      expect(response.headers.get('content-type')).to.equal('application/problem+json');
    });
});
