import type { WaitingDraftWithContent } from '../../protocol/records'
import { api, button, el, tell } from './page'

const line = (name: string, text: string) =>
  text === ''
    ? undefined
    : el('p', { className: 'wrap' }, el('span', { className: 'faint' }, `${name} `), text)
/** One a line: no name can pass for two. */
const lines = (name: string, texts: string[]) => texts.map((text) => line(name, text))

/** Shows all that a draft says, for it is decided on as it is shown. */
function draftCard(path: string, draft: WaitingDraftWithContent, again: () => Promise<void>): HTMLElement {
  const decide = async (verb: string, body: object, news: string) => {
    try {
      await api('POST', `${path}/${draft.id}/${verb}`, { seq: draft.seq, ...body })
    } finally {
      // Also where it was changed meanwhile: what is shown is what is decided on.
      await again()
    }
    tell(news)
  }
  const approve = () => decide('approve', {}, 'It is approved.')
  const reject = async () => {
    const reason = prompt('Why? The agent reads it. It may be left empty.')
    if (reason === null) return
    await decide('reject', reason.trim() === '' ? {} : { reason }, 'It is rejected, and does not go out.')
  }
  const files = draft.attachments.map(
    ({ filename, content_type, size }) => `${filename ?? 'unnamed'} (${content_type}, ${size} bytes)`,
  )
  const headers = Object.entries(draft.headers).map(([name, value]) => `${name}: ${value}`)
  return el(
    'li',
    { className: 'card' },
    el('h3', { className: 'wrap' }, draft.subject || '(no subject)'),
    line('From', draft.from_addr),
    ...lines('To', draft.to),
    ...lines('Cc', draft.cc),
    ...lines('Bcc', draft.bcc),
    ...lines('Answers go to', draft.reply_to),
    line('Replies to the message', draft.reply_to_message_id ?? ''),
    line('Goes out at', draft.scheduled_at === null ? '' : new Date(draft.scheduled_at).toLocaleString()),
    ...lines('File', files),
    ...lines('Header', headers),
    draft.text === null ? undefined : el('pre', {}, draft.text),
    draft.html === null ? undefined : el('pre', {}, `As HTML:\n${draft.html}`),
    el('div', { className: 'row' }, button('Approve', approve), button('Reject', reject, 'bad')),
  )
}

const shownAtOnce = 25

/** A draft that cannot be read is said beside the others, and keeps nobody from them. */
async function readCard(
  path: string,
  { id, subject }: { id: string; subject: string },
  again: () => Promise<void>,
): Promise<HTMLElement> {
  try {
    return draftCard(path, await api('GET', `${path}/${id}`), again)
  } catch (error) {
    return el(
      'li',
      { className: 'card' },
      el('h3', { className: 'wrap' }, subject || '(no subject)'),
      el('p', { className: 'wrap' }, `${id} cannot be shown now: ${(error as Error).message}`),
      button('Try again', again, 'plain'),
    )
  }
}

/**
 * Shows the drafts of an account that wait for its operator, the oldest of them, with all that they say; nothing where
 * none waits. Never fails: what goes wrong is said in its place.
 */
export async function showDrafts(
  place: HTMLElement,
  tenantId: string,
  again: () => Promise<void>,
): Promise<void> {
  const path = `accounts/${tenantId}/drafts`
  const title = el('h3', {}, 'Mail that waits for you')
  try {
    const { drafts, next_cursor } = await api('GET', `${path}?limit=100`)
    if (drafts.length === 0) return
    const cards = el('ul')
    place.append(title, cards)
    const more = drafts.length - shownAtOnce
    if (more > 0)
      place.append(
        el(
          'p',
          {},
          `and ${next_cursor === null ? more : `${more} or more`} more, shown as these are decided on.`,
        ),
      )
    // One after the other: an agent that wrote many does not use up what its operator may ask.
    for (const draft of drafts.slice(0, shownAtOnce)) cards.append(await readCard(path, draft, again))
  } catch (error) {
    place.append(
      title,
      el('p', { className: 'wrap' }, `It cannot be listed now: ${(error as Error).message}`),
      button('Try again', again, 'plain'),
    )
  }
}
