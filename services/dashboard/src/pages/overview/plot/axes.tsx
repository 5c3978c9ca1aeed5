import { type Box, labelledIn } from './box.ts';
import classes from './plot.module.css';
import { type Scale, tickText } from './scale.ts';

interface ValueAxisProps {
  readonly box: Box;
  readonly scale: Scale;
  /** The one at the right has no lines: those of the left one are enough. */
  readonly side?: 'left' | 'right';
}

export function ValueAxis({ box, scale, side = 'left' }: ValueAxisProps) {
  const x = side === 'left' ? box.left - 8 : box.right + 8;
  return scale.ticks.map((tick) => (
    <g key={tick}>
      {side === 'left' && tick > 0 && (
        <path className={classes.grid} d={`M${box.left},${box.y(scale.share(tick))}H${box.right}`} />
      )}
      <text
        className={classes.tick}
        x={x}
        y={box.y(scale.share(tick))}
        dy="0.32em"
        textAnchor={side === 'left' ? 'end' : 'start'}
      >
        {tickText(tick)}
      </text>
    </g>
  ));
}

interface TimeAxisProps {
  readonly box: Box;
  readonly times: readonly string[];
  readonly range: string;
}

export function TimeAxis({ box, times, range }: TimeAxisProps) {
  const words = range === '1h' || range === '24h' ? time : day;
  const labels = times.map((at) => words.format(new Date(at)));
  return (
    <>
      <path className={classes.axis} d={`M${box.left},${box.bottom}H${box.right}`} />
      {labelledIn(box, labels).map((index) => (
        <text
          key={index}
          className={classes.tick}
          x={box.x(index)}
          y={box.bottom + 18}
          // The middle of the last one would stand at the edge.
          textAnchor={box.x(index) + HALF_LABEL > box.right ? 'end' : 'middle'}
        >
          {labels[index]}
        </text>
      ))}
    </>
  );
}

const HALF_LABEL = 20;
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
