/** Block and allow lists, and suppressed addresses. */

export { refuseBlockedSender, requireListedRecipients, requireListedSender } from './list-check'
export { judge, type ListEntry, normalizePattern } from './list-match'
export { createList, deleteList, listLists } from './lists'
export {
  createSuppression,
  deleteSuppression,
  listSuppressions,
  requireUnsuppressed,
  suppress,
  suppressionReasons,
} from './suppressions'
