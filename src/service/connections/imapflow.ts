// Bundled separately, and loaded when the first mailbox is connected.
export { ImapFlow } from 'imapflow'
