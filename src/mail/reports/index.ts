/** Messages of programs: bounces, complaints and automatic replies (RFC 3464, 5965, 3834). */

export { type AutoReason, type AutoSubmitted, detectOrigin } from './auto-submitted'
export { type Bounce, isAboutSender, refusesSender, takesNoMail } from './bounce'
export type { Complaint } from './complaint'
export { describeMachine, type Machine } from './machine'
export type { Via } from './via'
