/** Agent trials: messages from played senders, at a service that delivers nothing. */

export { createTalk, type Talk } from './talk'
