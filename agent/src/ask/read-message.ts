import type { ModelCall, ModelReply } from './model.ts';

// Services with OpenAI's API differ in what they put into a message. Every unambiguous form is read.

type Fields = Readonly<Record<string, unknown>>;

export function readMessage(message: Fields): ModelReply {
  const written = textOf(message.content) || textOf(message.refusal);
  const { text, calls } = takeCalls(withoutThoughts(written));
  const listed = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isFields) : [];
  const called = [...listed, { function: message.function_call }].flatMap((each, index) =>
    callOf(each.function, each.id, index),
  );
  return { text, calls: called.length > 0 ? called : calls };
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text, or the parts of it that are text: others are thoughts or media. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('');
  return isFields(content) && content.type === 'text' ? textOf(content.text) : '';
}

/** Reasoning that the service left in the text. Its template may have written the first tag, and its limit may have cut the last. */
const withoutThoughts = (text: string): string =>
  text
    .replace(/^[\s\S]*<\/(?:think|thinking|reasoning)>/i, '')
    .replace(/<(?:think|thinking|reasoning)>[\s\S]*$/i, '')
    .trim();

const FENCE = /^```(?:json)?\s*|\s*```$/g;
/** How models begin a call if the service leaves it in their text. */
const MARK = /<tool_call>|\[TOOL_CALLS\]|<\|[a-z_]+\|>|<function[=_]/i;

/** The text up to its first call, and the calls that can be read: between tags, or a text that is only a call. */
function takeCalls(text: string): ModelReply {
  const alone = callsIn(text.replace(FENCE, ''), 0);
  if (alone.length > 0) return { text: '', calls: alone };
  const [, ...tagged] = text.split('<tool_call>');
  const calls = tagged.flatMap((each, index) => callsIn(each.split('</tool_call>', 1)[0] ?? '', index));
  return { text: text.slice(0, MARK.exec(text)?.index).trim(), calls };
}

function callsIn(text: string, index: number): ModelCall[] {
  const trimmed = text.trim();
  // A message may hold a hundred thousand beginnings of a call, and each failed parse costs ten microseconds.
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return [];
  try {
    return callOf(JSON.parse(trimmed), undefined, index);
  } catch {
    return [];
  }
}

function callOf(called: unknown, id: unknown, index: number): ModelCall[] {
  if (!isFields(called) || typeof called.name !== 'string') return [];
  const given = called.arguments ?? called.parameters ?? {};
  return [
    {
      id: typeof id === 'string' && id !== '' ? id : `call_${index}`,
      tool: called.name,
      argumentsJson: typeof given === 'string' ? given : JSON.stringify(given),
    },
  ];
}
