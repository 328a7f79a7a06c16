import type { Task } from '@a2a-js/sdk';
import type { TaskStore } from '@a2a-js/sdk/server';

interface Kept {
  readonly task: Task;
  readonly size: number;
}

/**
 * Tasks in memory, the newest of them. Whoever has a task's ID may load it; nobody can list them. Of a task's messages the first
 * alone is kept, which asked: anybody may send more, and the SDK keeps and returns all that it is given.
 * @param maxCharacters of all tasks together, as JSON.
 */
export function createTasks(max: number, maxCharacters: number): TaskStore {
  const tasks = new Map<string, Kept>();
  let characters = 0;

  function drop(id: string): void {
    characters -= tasks.get(id)?.size ?? 0;
    tasks.delete(id);
  }

  return {
    async save(given) {
      // A copy: the SDK changes what it has saved and loaded.
      const task = structuredClone({ ...given, history: given.history.slice(0, 1) });
      const size = JSON.stringify(task).length;
      drop(task.id);
      tasks.set(task.id, { task, size });
      characters += size;
      for (const oldest of tasks.keys()) {
        if (tasks.size <= max && characters <= maxCharacters) break;
        drop(oldest);
      }
    },
    load: async (id) => structuredClone(tasks.get(id)?.task),
    list: async () => ({ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 }),
  };
}
