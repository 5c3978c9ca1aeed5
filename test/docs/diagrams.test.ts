import { expect } from 'chai';
import { codeBlocks, PAGES } from './support.ts';

/** Keywords of Mermaid. As a node they end the picture with a syntax error. */
const RESERVED = /^(?:end|graph|flowchart|subgraph|class|style|click|linkStyle|classDef|direction|default)$/;
const NAME = '[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*';
/** Quoted, because Mermaid reads an unquoted bracket or comma as syntax. */
const TEXT = String.raw`"[^"\`;#]+"`;
const NODE = String.raw`(${NAME})(?:\[${TEXT}\]|\[\(${TEXT}\)\])?`;
const LINK = `(?:-->|---|-- ${TEXT} -->)`;
const LINE = {
  head: /^flowchart (?:TD|LR)$/,
  group: new RegExp(`^ *subgraph (${NAME})\\[${TEXT}\\]$`),
  groupEnd: /^ *end$/,
  node: new RegExp(`^ +${NODE}$`),
  link: new RegExp(`^ +${NODE} ${LINK} ${NODE}$`),
  links: new RegExp(`^ +(${NAME}) --> (${NAME}(?: & ${NAME})+)$`),
};

/**
 * The faults of a picture. It may use a part of Mermaid's flowcharts only. GitHub shows an error in place of a wrong picture,
 * and the mermaid package has 200 MB with its dependencies, so a test cannot render it.
 */
function faultsOf(picture: string): string[] {
  const [head = '', ...lines] = picture.trimEnd().split('\n');
  const faults = LINE.head.test(head) ? [] : [head];
  let open = 0;
  for (const line of lines) {
    if (LINE.groupEnd.test(line)) open -= 1;
    else if (LINE.group.test(line)) open += 1;
    else {
      const found = LINE.link.exec(line) ?? LINE.links.exec(line) ?? LINE.node.exec(line);
      const names = found?.slice(1).flatMap((text) => text?.split(' & ') ?? []) ?? [];
      if (names.length === 0 || names.some((name) => RESERVED.test(name))) faults.push(line);
    }
  }
  return open === 0 ? faults : [...faults, 'each subgraph needs one end'];
}

describe('diagrams', () => {
  const pictures = PAGES.flatMap((page) => codeBlocks(page, 'mermaid').map((picture) => ({ page, picture })));

  it('are found in the README and on the map', () => {
    expect(pictures.map(({ page }) => page)).to.include.members(['README.md', 'ARCHITECTURE.md']);
  });

  for (const { page, picture } of pictures)
    it(`${page} has one that Mermaid can draw`, () => {
      expect(faultsOf(picture)).to.deep.equal([]);
    });
});
