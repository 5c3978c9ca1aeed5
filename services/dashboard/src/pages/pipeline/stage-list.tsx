import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { ActionIcon, Button } from '@mantine/core';
import type { Pipeline, StageItem } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { callApi } from '../../api/api-client.ts';
import { reading } from '../../api/queries.ts';
import { Chip } from '../../ui/chip.tsx';
import { Icon, type IconName, Tip } from '../../ui/icons.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { countedWords, KIND_TONES, KIND_WORDS } from '../leads/lead-words.ts';
import classes from './pipeline.module.css';
import { RetireDialog, StageDialog } from './stage-dialogs.tsx';

interface StageListProps {
  readonly stages: readonly StageItem[];
  readonly mayChange: boolean;
}

/** The stages in their order. Rows move by dragging or with their buttons. */
export function StageList({ stages, mayChange }: StageListProps) {
  const [changing, setChanging] = useState<StageItem | null>(null);
  const [retiring, setRetiring] = useState<StageItem | null>(null);
  const order = useStageOrder(stages);
  return (
    <>
      {order.error !== null && <ErrorNote error={order.error} />}
      <ol aria-label="Stages in their order">
        {order.stages.map((stage, index) => (
          <StageRow
            key={stage.id}
            stage={stage}
            index={index}
            stages={order.stages}
            mayChange={mayChange}
            onMove={(to) => order.move(stage, to)}
            onDropped={(stageId) => order.moveById(stageId, index)}
            onChange={() => setChanging(stage)}
            onRetire={() => setRetiring(stage)}
          />
        ))}
      </ol>
      <div aria-live="assertive" className="visually-hidden">
        {order.announcement}
      </div>
      {changing !== null && <StageDialog stage={changing} onClose={() => setChanging(null)} />}
      {retiring !== null && (
        <RetireDialog stage={retiring} stages={stages} onClose={() => setRetiring(null)} />
      )}
    </>
  );
}

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

function StageRow(props: StageRowProps) {
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
      <div className={`row breaks ${classes.about}`}>
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
        <div className="row">
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

interface RowDrag {
  readonly stageId: string;
  readonly index: number;
  readonly enabled: boolean;
  readonly onDropped: (stageId: string) => void;
}

/** Drags a row by its grip onto another row, whose place it takes. `over`: where a dragged row would go. */
function useRowDrag({ stageId, index, enabled, onDropped }: RowDrag) {
  const row = useRef<HTMLLIElement>(null);
  const grip = useRef<HTMLSpanElement>(null);
  const [over, setOver] = useState<'above' | 'below' | null>(null);
  const drop = useEffectEvent(onDropped);
  useEffect(() => {
    const [element, dragHandle] = [row.current, grip.current];
    if (element === null || dragHandle === null || !enabled) return;
    const data = { stageId, index };
    const stopDragging = draggable({ element, dragHandle, getInitialData: () => data });
    const stopDropping = dropTargetForElements({
      element,
      canDrop: ({ source }) => typeof source.data.stageId === 'string' && source.data.stageId !== stageId,
      onDragEnter: ({ source }) => setOver(Number(source.data.index) > index ? 'above' : 'below'),
      onDragLeave: () => setOver(null),
      onDrop({ source }) {
        setOver(null);
        drop(String(source.data.stageId));
      },
    });
    return () => {
      stopDragging();
      stopDropping();
    };
  }, [stageId, index, enabled]);
  return { row, grip, over };
}

/** Orders the stages. A row moves at once; if the server rejects the order, it goes back. */
function useStageOrder(stored: readonly StageItem[]) {
  const client = useQueryClient();
  const [announcement, announce] = useState('');
  const { queryKey } = reading(ROUTES.pipeline.show, {});
  const save = useMutation<Pipeline, Error, readonly StageItem[], Pipeline | undefined>({
    mutationFn: (stages) =>
      callApi(ROUTES.pipeline.orderStages, { body: { stages: stages.map(({ id }) => id) } }),
    onMutate: async (stages) => {
      await client.cancelQueries({ queryKey: [ROUTES.pipeline.show.path] });
      const before = client.getQueryData<Pipeline>(queryKey);
      client.setQueryData<Pipeline>(queryKey, (data) => data && { ...data, stages: [...stages] });
      return before;
    },
    // Without a connection the reload fails too, so it could not put the row back.
    onError: (_error, _stages, before) => client.setQueryData(queryKey, before),
    onSettled: () => client.invalidateQueries({ queryKey: [ROUTES.pipeline.show.path] }),
  });
  const move = (stage: StageItem, to: number) => {
    const others = stored.filter(({ id }) => id !== stage.id);
    const place = Math.min(others.length, Math.max(0, to));
    const ordered = [...others.slice(0, place), stage, ...others.slice(place)];
    if (ordered.every(({ id }, index) => id === stored[index]?.id)) return;
    save.mutate(ordered);
    announce(`${stage.name} is now stage ${place + 1} of ${ordered.length}.`);
  };
  return {
    stages: stored,
    announcement,
    error: save.error,
    move,
    moveById(stageId: string, to: number) {
      const stage = stored.find(({ id }) => id === stageId);
      if (stage !== undefined) move(stage, to);
    },
  };
}
