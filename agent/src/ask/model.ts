/** A language model with tool calls. */
export interface LanguageModel {
  /**
   * One round. Throws BowlineError `model_unavailable`, also if `signal` aborts it; retryable unless the service refuses this
   * conversation, which says nothing about the next one.
   */
  respond(conversation: readonly ModelTurn[], tools: readonly ModelTool[], signal?: AbortSignal): Promise<ModelReply>;
}

interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: Record<string, unknown>;
}

export type ModelTurn =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string };

export interface ModelCall {
  readonly id: string;
  readonly tool: string;
  /** JSON text as written by the model, unchecked. */
  readonly argumentsJson: string;
}

export interface ModelReply {
  readonly text: string;
  readonly calls: readonly ModelCall[];
}
