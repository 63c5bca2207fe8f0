/**
 * Mailbox tools for a model, independent of frameworks: the base of every adapter, and of your own for other
 * frameworks.
 *
 * @module
 */

export type { AskedCall, MailWait, SuspendOptions } from './tools/asked'
export { cutOff, type Ending, endingOf } from './tools/ending'
export type { PublicMail } from './tools/flow'
export type { FlowOptions } from './tools/guard'
export { type InboxOptions, runInbox, type Turn } from './tools/inbox'
export type { PictureOptions, ToolPicture } from './tools/pictures/pictures'
export { type ProposedFor, type ProposedMail, proposalText } from './tools/proposal'
export type { Refusal } from './tools/schemas'
export type { ShownMail } from './tools/shown'
export { handlesIn } from './tools/shown'
export type { RunSoFar, ToolCall, ToolRisk } from './tools/tool-session'
export {
  type Answer,
  type BoundTool,
  type CallContext,
  type ChosenTool,
  createToolbox,
  type Toolbox,
  type ToolboxOptions,
  type ToolInput,
  type ToolName,
  type ToolOutput,
  toolContent,
  toolText,
} from './tools/toolbox'
