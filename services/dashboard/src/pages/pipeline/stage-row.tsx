import { ActionIcon, Button } from '@mantine/core';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { Link } from 'react-router';
import { Chip } from '../../ui/chip.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Tip } from '../../ui/tip.tsx';
import { KIND_TONES, KIND_WORDS } from '../leads/lead-words.ts';
import { countedWords } from './leads-words.ts';
import classes from './pipeline.module.css';
import { useRowDrag } from './use-row-drag.ts';

interface StageRowProps {
  readonly stage: StageItem;
  readonly index: number;
  readonly stages: readonly StageItem[];
  readonly mayChange: boolean;
  readonly onMove: (to: number) => void;
  /** Another stage was dropped on this row. */
  readonly onDropped: (stageId: string) => void;
  readonly onChange: () => void;
  readonly onRetire: () => void;
}

export function StageRow(props: StageRowProps) {
  const { stage, index, stages, mayChange, onMove, onDropped, onChange, onRetire } = props;
  const { row, grip, over } = useRowDrag({ stageId: stage.id, index, enabled: mayChange, onDropped });
  const isRetiring = stage.retiring_to !== null;
  const target = stages.find(({ id }) => id === stage.retiring_to);
  return (
    <li ref={row} className={classes.stage} data-stage={stage.id} data-over={over ?? undefined}>
      {mayChange && (
        <span ref={grip} className={classes.grip} title="Drag to another place">
          <Icon name="grip" />
        </span>
      )}
      <div className={classes.about}>
        <strong>{stage.name}</strong>
        <Chip tone={KIND_TONES[stage.kind]}>{KIND_WORDS[stage.kind]}</Chip>
        <Link to={`/leads?stage=${stage.id}`} className="small">
          {countedWords(stage.leads)}
        </Link>
        {isRetiring && (
          <Chip tone="warn">Being retired. Its leads move to {target?.name ?? 'another stage'}</Chip>
        )}
      </div>
      {mayChange && (
        <div className={classes.actions}>
          <IconButton
            icon="up"
            label={`Move ${stage.name} up`}
            disabled={index === 0}
            onClick={() => onMove(index - 1)}
          />
          <IconButton
            icon="down"
            label={`Move ${stage.name} down`}
            disabled={index === stages.length - 1}
            onClick={() => onMove(index + 1)}
          />
          <Button size="xs" variant="default" aria-label={`Edit ${stage.name}`} onClick={onChange}>
            Edit
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`${isRetiring ? 'Continue retiring' : 'Retire'} ${stage.name}`}
            disabled={stages.filter(({ retiring_to }) => retiring_to === null).length < 2 && !isRetiring}
            onClick={onRetire}
          >
            {isRetiring ? 'Continue' : 'Retire'}
          </Button>
        </div>
      )}
    </li>
  );
}

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

/** Stays focusable at the end of the list, so that repeated presses do not lose the focus. */
function IconButton({ icon, label, disabled, onClick }: IconButtonProps) {
  return (
    <Tip label={label} atEdge>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-disabled={disabled || undefined}
        {...(disabled && { 'data-disabled': true })}
        onClick={disabled ? undefined : onClick}
      >
        <Icon name={icon} size={16} />
      </ActionIcon>
    </Tip>
  );
}
