export type { MailTool, ToolContext } from './tools/define'
export type { ToolCall, ToolRisk } from './tools/desk'
export { type InboxOptions, runInbox, type Turn } from './tools/inbox'
export type { Refusal } from './tools/schemas'
export {
  type Answer,
  type BoundTool,
  type CallContext,
  type ChosenTool,
  createToolbox,
  isAnswer,
  mailTools,
  type ReadingToolName,
  type Toolbox,
  type ToolboxOptions,
  type ToolInput,
  type ToolName,
  type ToolOutput,
  toolText,
} from './tools/toolbox'
