import type { MessageItem } from '@sluice/dashboard-api/conversations';
import { useLayoutEffect, useRef, useState } from 'react';

const NEAR_PX = 120;

interface ScrollInput {
  readonly messages: readonly MessageItem[];
  readonly hasOlder: boolean;
  readonly isLoading: boolean;
  readonly onOlder: () => void;
}

/**
 * Keeps a thread where its reader is. At the end it follows new messages. Further up, older messages appear above without
 * moving the text, and new ones below are only reported (`unseen`).
 */
export function useScroll({ messages, hasOlder, isLoading, onOlder }: ScrollInput) {
  const box = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  const before = useRef<{ first?: string; last?: string; height: number }>({ height: 0 });
  const [unseen, setUnseen] = useState(false);
  const toEnd = () => {
    const element = box.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    atEnd.current = true;
    setUnseen(false);
  };
  const first = messages[0]?.message_id;
  const last = messages.at(-1)?.message_id;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { current: seen } = before;
    if (atEnd.current) element.scrollTop = element.scrollHeight;
    else if (first !== seen.first) element.scrollTop += element.scrollHeight - seen.height;
    else if (last !== seen.last) setUnseen(true);
    before.current = { height: element.scrollHeight, ...(first && { first }), ...(last && { last }) };
  }, [first, last]);
  const onScroll = () => {
    const element = box.current;
    if (element === null) return;
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
    if (atEnd.current) setUnseen(false);
    if (element.scrollTop < NEAR_PX && hasOlder && !isLoading) onOlder();
  };
  return { box, onScroll, unseen, toEnd };
}
