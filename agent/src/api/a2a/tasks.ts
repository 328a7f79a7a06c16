import type { Task } from '@a2a-js/sdk';
import type { TaskStore } from '@a2a-js/sdk/server';

/** Tasks in memory, the newest `max` of them. Whoever has a task's ID may load it; nobody can list them. */
export function createTasks(max: number): TaskStore {
  const tasks = new Map<string, Task>();
  return {
    async save(task) {
      tasks.delete(task.id);
      tasks.set(task.id, task);
      for (const oldest of tasks.keys()) {
        if (tasks.size <= max) break;
        tasks.delete(oldest);
      }
    },
    load: async (id) => tasks.get(id),
    list: async () => ({ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 }),
  };
}
