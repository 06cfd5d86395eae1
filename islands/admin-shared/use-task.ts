import { useRef, useState } from 'react';

/** Holds the open dialog of a screen, if any. Each opening has a new number: as React key, it makes every dialog a new one. */
export function useTask<Task extends object>() {
  const [task, setTask] = useState<(Task & { number: number }) | null>(null);
  const count = useRef(0);
  return {
    task,
    open(next: Task): void {
      count.current += 1;
      setTask({ ...next, number: count.current });
    },
    close: () => setTask(null),
  };
}
