/** Inboxes: creating, reading and renaming them, and the conditions for their existence. */

export { createInbox, inboxRow, inboxRowIn, listInboxes, readInbox, updateInbox } from './inboxes'
export { moveHome } from './move-home'
export { hasInbox, hasInboxIn, hasThread, isThere } from './not-erased'
