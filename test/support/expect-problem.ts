import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem/problem';
import { expect } from 'chai';
import type { Response } from 'supertest';
import { expectNoSecret } from './no-secret.ts';

/** Expects a rejection with this code, in the form of every rejection. */
export function expectProblem(answer: Response, code: ProblemCode): void {
  const { status, title } = PROBLEMS[code];
  expect(answer.status, answer.text).to.equal(status);
  expect(answer.headers['content-type']).to.equal('application/problem+json');
  expect(answer.headers['x-request-id']).to.match(/^req_[0-9A-Za-z]{22}$/);
  expectNoSecret(`the refusal ${code}`, answer.text);
  const body = JSON.parse(answer.text);
  expect(body).to.include({
    type: `/problems/${code}`,
    title,
    status,
    code,
    request_id: answer.headers['x-request-id'],
  });
  expect(body.detail).to.be.a('string').and.match(/[.]$/);
}
