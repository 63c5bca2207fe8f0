/** Writes messages for a model, fenced and bounded. */

export { createPrompt, type PromptSubject } from './prompt'
export { preparePromptMessage } from './prompt-message'
export {
  type UntrustedText,
  type UntrustedTextOptions,
  untrustedField,
  untrustedText,
} from './untrusted-text'
