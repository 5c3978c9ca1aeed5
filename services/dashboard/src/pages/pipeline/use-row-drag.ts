import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

interface RowDrag {
  readonly stageId: string;
  readonly index: number;
  readonly enabled: boolean;
  readonly onDropped: (stageId: string) => void;
}

/** Drags a row by its grip onto another row, whose place it takes. `over`: where a dragged row would go. */
export function useRowDrag({ stageId, index, enabled, onDropped }: RowDrag) {
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
