import { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import {
  type AgentExecutionEvent,
  type PushNotificationStore,
  type ServerCallContext,
  V1PushNotificationSerializer,
} from '@a2a-js/sdk/server';
import type { Log } from '@bowline/core/domain/log';
import type { Timers } from '@bowline/core/domain/time';
import { z } from 'zod';
import type { Post } from '../../notify/post.ts';
import type { Progress } from '../../seller/progress.ts';
import { isFinal, jobIdOf, taskIdOf, updatesOf } from './job-tasks.ts';

/** Receivers of one job, and of all jobs. Each job is paid for, and yet anybody may register for it. */
const [MAX_FOR_ONE, MAX_ALL] = [3, 300];
const [MAX_TOKEN, MAX_URL] = [500, 2_000];
/** No job takes as long. */
const MAX_AGE_MS = 30 * 86_400_000;
/** Milliseconds before each try to tell a receiver. */
const TRIES = [0, 10_000, 60_000] as const;

interface Registered {
  readonly config: TaskPushNotificationConfig;
  /** The A2A version of the request, in which the receiver is told. */
  readonly version: string;
}

/** The receivers of one job, as in a file. */
export interface KeptReceivers {
  /** Whose job: others have jobs of the same number. */
  readonly seller: string;
  readonly taskId: string;
  /** Of each a configuration in the protocol's own form. */
  readonly receivers: { readonly config: unknown; readonly version: string }[];
}

export const keptReceivers: z.ZodType<KeptReceivers> = z.object({
  seller: z.string(),
  taskId: z.string(),
  receivers: z.array(z.object({ config: z.unknown(), version: z.string() })),
});

interface ReceiverFiles {
  put(name: string, kept: KeptReceivers): Promise<void>;
  drop(name: string): Promise<void>;
  all(): Promise<readonly { readonly value: KeptReceivers; readonly writtenAt: number }[]>;
}

/** In place of the files where they cannot be opened: nobody can be told who is not kept. */
export const unwritable: ReceiverFiles = {
  put: async () => {
    throw new Error('Receivers of notifications cannot be kept.');
  },
  drop: async () => {},
  all: async () => [],
};

export interface PushDeps {
  readonly files: ReceiverFiles;
  /** Names the escrow and its provider. */
  readonly seller: string;
  readonly progress: Progress;
  /** Posts to URLs that strangers have named. */
  readonly post: Post;
  readonly timers: Timers;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly log: Log;
}

export interface Pushes extends PushNotificationStore {
  /** Ends all waiting. */
  stop(): void;
}

/**
 * Tells receivers once what became of a job. They are in files before their registration is confirmed, until they are told: one that was
 * being told when the process ended is told again. The number of a job is public, so nobody is shown its receivers, and only who has a
 * receiver's ID, which is ours, can remove it. Tasks that are no job's have no receivers.
 */
export async function openPushes({ files, seller, progress, post, timers, nowMs, log }: PushDeps): Promise<Pushes> {
  const receivers = new Map<bigint, Map<string, Registered>>();
  const writes = new Map<bigint, Promise<unknown>>();
  const stopping = new AbortController();
  const serializers = { '1.0': new V1PushNotificationSerializer(), '0.3': new V03PushNotificationSerializer() };

  /** Writes who is left, one write of a job at a time. */
  function keep(id: bigint): Promise<void> {
    const taskId = taskIdOf(id);
    const name = `${seller} ${taskId}`;
    const writing = (writes.get(id) ?? Promise.resolve()).then(async () => {
      const those = [...(receivers.get(id)?.values() ?? [])];
      if (those.length === 0) return await files.drop(name);
      const kept = those.map(({ config, version }) => ({ config: TaskPushNotificationConfig.toJSON(config), version }));
      await files.put(name, { seller, taskId, receivers: kept });
    });
    const ended = writing.catch((error: unknown) =>
      log.error('push.not_kept', { jobId: String(id), error: String(error) }),
    );
    writes.set(id, ended);
    void ended.then(() => (writes.get(id) === ended ? writes.delete(id) : false));
    return writing;
  }

  async function watch(id: bigint): Promise<void> {
    for (;;) {
      const now = await progress.read(id).catch(() => undefined);
      if (stopping.signal.aborted || !receivers.has(id)) return;
      if (now !== undefined && isFinal(now)) {
        const those = [...(receivers.get(id)?.values() ?? [])];
        receivers.delete(id);
        await Promise.all(those.map((each) => tell(id, each, updatesOf(id, now))));
        // Whoever was not reached while the process ended is tried again by the next one.
        if (!stopping.signal.aborted) await keep(id).catch(() => {});
        return;
      }
      await progress.changed(id, stopping.signal);
    }
  }

  async function tell(
    id: bigint,
    { config, version }: Registered,
    events: readonly AgentExecutionEvent[],
  ): Promise<void> {
    const serializer = serializers[version.startsWith('0.') ? '0.3' : '1.0'];
    for (const { kind, data } of events) {
      const { body, contentType } = serializer.serialize({ payload: { $case: kind, value: data } as never });
      const headers = { 'content-type': contentType, ...credentialsOf(config) };
      if (!(await posted(config.url, headers, body))) {
        log.warn('push.undelivered', { jobId: id });
        return;
      }
    }
  }

  async function posted(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<boolean> {
    for (const wait of TRIES) {
      await new Promise<void>((resolve) => void timers.after(wait, resolve));
      if (stopping.signal.aborted) return false;
      const answer = await post(url, headers, body);
      if ('status' in answer && answer.status < 500) return answer.status < 400;
    }
    return false;
  }

  for (const { value, writtenAt } of await files.all()) {
    const id = jobIdOf(value.taskId);
    if (id === undefined || value.seller !== seller) continue;
    if (writtenAt < nowMs() - MAX_AGE_MS) {
      await files.drop(`${seller} ${value.taskId}`);
      continue;
    }
    const those = value.receivers.map(({ config, version }) => ({
      config: TaskPushNotificationConfig.fromJSON(config),
      version,
    }));
    receivers.set(id, new Map(those.map((each) => [each.config.id, each])));
    void watch(id);
  }

  return {
    async save(taskId, context, config) {
      const id = jobIdOf(taskId);
      if (id === undefined) return;
      const those = receivers.get(id) ?? new Map<string, Registered>();
      config.id = crypto.randomUUID();
      config.taskId = taskId;
      if (those.size >= MAX_FOR_ONE || (those.size === 0 && receivers.size >= MAX_ALL)) {
        throw new Error('Too many receivers of notifications.');
      }
      if (credentialsLength(config) > MAX_TOKEN) throw new Error('The credentials are too long.');
      if (config.url.length > MAX_URL) throw new Error('The URL is too long.');
      const isNew = !receivers.has(id);
      receivers.set(id, those);
      those.set(config.id, { config: structuredClone(config), version: context.requestedVersion });
      try {
        await keep(id);
      } catch {
        those.delete(config.id);
        if (those.size === 0 && receivers.get(id) === those) receivers.delete(id);
        throw new Error('The receiver could not be written to disk.');
      } finally {
        if (isNew && receivers.has(id)) void watch(id);
      }
    },
    load: async () => [],
    async delete(taskId, _context: ServerCallContext, configId) {
      const those = receiversOf(taskId);
      const id = jobIdOf(taskId);
      if (id === undefined || configId === undefined || !those?.delete(configId)) return;
      if (those.size === 0) receivers.delete(id);
      await keep(id);
    },
    stop: () => stopping.abort(),
  };

  function receiversOf(taskId: string): Map<string, Registered> | undefined {
    const id = jobIdOf(taskId);
    return id === undefined ? undefined : receivers.get(id);
  }
}

const credentialsLength = ({ token, authentication }: TaskPushNotificationConfig): number =>
  token.length + (authentication?.scheme.length ?? 0) + (authentication?.credentials.length ?? 0);

function credentialsOf({ token, authentication }: TaskPushNotificationConfig): Record<string, string> {
  return {
    ...(token !== '' && { 'x-a2a-notification-token': token }),
    ...(authentication && { authorization: `${authentication.scheme} ${authentication.credentials}` }),
  };
}
