import type { Draft, SendResult } from '../../protocol/records'
import { localTime } from '../base'

/** Describes the outcome of a send. */
export function outcomeOf(answer: SendResult | Draft): string {
  if ('message_id' in answer) return 'it is being sent'
  if (answer.status === 'scheduled') return `it will be sent at ${localTime(String(answer.scheduled_at))}`
  return `it waits as draft ${answer.id} until an operator approves it with restante approvals`
}
