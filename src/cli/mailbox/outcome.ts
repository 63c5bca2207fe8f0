import type { Draft, SendResult } from '../../protocol/records'
import { localTime } from '../base'

/** Describes the outcome of a send. */
export function outcomeOf(answer: SendResult | Draft): string {
  if ('message_id' in answer) return 'it is on its way'
  if (answer.status === 'scheduled') return `it goes out at ${localTime(String(answer.scheduled_at))}`
  return `it waits as the draft ${answer.id} until a human approves it: restante approvals, beside the service`
}
