/** Inboxes: making, reading and renaming them, and the conditions under which they are there. */

export { createInbox, inboxRow, inboxRowIn, listInboxes, readInbox, updateInbox } from './inboxes'
export { moveHome } from './move-home'
export { hasInbox, hasInboxIn, hasThread, isThere } from './not-erased'
