/** Erasure of messages, threads, inboxes and accounts, within the hour. */

export { erase, eraseByJob } from './erase'
export { eraseAccount, eraseExpiredAccount } from './erase-account'
export { deleteInbox } from './erase-inbox'
export { eraseMessage, eraseMessageIn, eraseThread } from './erase-mail'
export { EraseSweeper, isBlobNamed } from './erase-sweep'
