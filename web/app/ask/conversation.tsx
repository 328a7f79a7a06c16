import { useMutation } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { agentAnswer } from '../../wire.ts';
import { postJson } from '../api/request.ts';
import { useOwner } from '../wallet/use-owner.ts';
import { refusalOf } from '../words/refusals.ts';
import type { Said } from './message.tsx';
import { withAddress } from './with-address.ts';

interface Conversation {
  readonly said: readonly Said[];
  readonly isBusy: boolean;
  readonly ask: (prompt: string) => void;
}

const Context = createContext<Conversation | undefined>(undefined);

/** Holds one conversation above the sections, so that it survives a change of section. */
export function ConversationProvider({ children }: { readonly children: ReactNode }) {
  const { owner } = useOwner();
  const [said, setSaid] = useState<readonly Said[]>([]);
  const [contextId] = useState(() => crypto.getRandomValues(new BigUint64Array(2)).join('-'));
  const add = (each: Said) => setSaid((before) => [...before, each]);
  const { mutate, isPending } = useMutation({
    mutationFn: (prompt: string) => postJson('/api/agent', { prompt, context_id: contextId }, agentAnswer),
    onMutate: (prompt) => add({ by: 'you', text: prompt }),
    onSuccess: (answer) => add({ by: 'agent', answer, atMs: Date.now() }),
    onError: (error) => add({ by: 'trouble', text: refusalOf(error) }),
  });
  const ask = (prompt: string) => mutate(withAddress(prompt, owner));
  return <Context.Provider value={{ said, isBusy: isPending, ask }}>{children}</Context.Provider>;
}

export function useConversation(): Conversation {
  const conversation = useContext(Context);
  if (conversation === undefined) throw new Error('useConversation outside of ConversationProvider');
  return conversation;
}
