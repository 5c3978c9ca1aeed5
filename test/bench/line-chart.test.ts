import { expect } from 'chai';
import { lineChart } from '../../bench/chart/line-chart.ts';

const points = (svg: string) =>
  [...svg.matchAll(/<polyline points="([^"]*)"/g)].map(([, path]) => path ?? '');
const chart = { title: 'Cost', xTitle: 'connections', yTitle: 'us' };

describe('a curve as SVG', () => {
  it('starts at the left edge, ends at the right, and has 0 at the bottom', () => {
    const series = [
      {
        name: 'ingress',
        points: [
          [0, 0],
          [10, 100],
        ] as const,
      },
    ];
    expect(points(lineChart({ ...chart, series }))).to.deep.equal(['64.0,290.0 620.0,44.0']);
  });

  it('gives each multiplication the same width on a logarithmic axis', () => {
    const series = [
      {
        name: 'ingress',
        points: [
          [1, 1],
          [10, 1],
          [100, 1],
        ] as const,
      },
    ];
    expect(points(lineChart({ ...chart, series, logX: true }))[0]).to.match(/^64\.0,\S+ 342\.0,\S+ 620\.0,/);
  });

  it('stays well-formed with any characters in its names', () => {
    const series = [
      {
        name: 'a < b & "c"',
        points: [
          [1, 1],
          [2, 2],
        ] as const,
      },
    ];
    const svg = lineChart({ ...chart, title: '"<&', series });
    expect(svg).to.include('a &lt; b &amp; &quot;c&quot;').and.to.include('aria-label="&quot;&lt;&amp;"');
  });

  it('draws a single point, or only zeros, without NaN', () => {
    const series = [{ name: 'one', points: [[5, 0]] as const }];
    expect(lineChart({ ...chart, series })).not.to.include('NaN');
  });
});
