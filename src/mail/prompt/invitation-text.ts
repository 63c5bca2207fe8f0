import type { Invitation } from '../../protocol/records/invitation'
import { visibleText } from '../text/visible-text'
import { field } from './look-alikes'

const maxListed = 10

const people = ({ attendees, attendee_count: count }: Invitation): string => {
  const listed = attendees
    .slice(0, maxListed)
    .map(({ address, status }) => `${field(address, 100)} (${field(status, 30)})`)
  const rest = count - listed.length
  return `${listed.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`
}

const times = ({ start, end, time_zone, local_start, all_day }: Invitation): string => {
  if (all_day) return `all day, from ${local_start.slice(0, 10)}, ${start} to ${end}`
  return `${start} to ${end}${time_zone === null ? '' : ` (starts ${local_start} in ${field(time_zone, 60)})`}`
}

const proof = ({ organizer_proven, method }: Invitation): string =>
  organizer_proven || method === 'REPLY' || method === 'COUNTER'
    ? ''
    : ' (NOT PROVEN: somebody else may have sent this)'

/** Describes an invitation in lines of text, with the words of others: for the inside of a fence. */
export function invitationText(invitation: Invitation): string {
  const { method, title, organizer, recurrence, location, meeting_link, answer, changes } = invitation
  const { pending, cancelled, comment, description } = invitation
  const line = (name: string, text: string | null) =>
    text === null || text === '' ? [] : [`${name}: ${text}`]
  const lines = [
    `Invitation: ${field(method, 20)}${cancelled ? ', the event is cancelled' : ''}`,
    ...(pending ? ['PENDING: nothing proves that the organizer sent this, so it alters nothing.'] : []),
    ...line('Event', field(title, 500)),
    ...line('Time', times(invitation)),
    ...line('Repeats', recurrence && field(recurrence, 300)),
    ...line('Organizer', organizer && `${field(organizer.address, 100)}${proof(invitation)}`),
    ...line('Attendees', people(invitation)),
    ...line('Location', location && field(location, 300)),
    ...line('Meeting link', meeting_link && field(meeting_link, 500)),
    ...line('Answer of this inbox', field(answer, 30)),
    ...line('Changes', changes.map((one) => field(one, 600)).join('; ')),
    ...line('Comment', comment && visibleText(comment).text),
    ...line('Description', description && visibleText(description).text),
  ]
  return lines.join('\n')
}
