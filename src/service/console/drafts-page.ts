import { api, button, el, pages, tell } from './page'

/** What a draft that waits says, all of which is shown before it is decided on. */
interface WaitingDraft {
  id: string
  seq: number
  from_addr: string
  to: string[]
  cc: string[]
  bcc: string[]
  subject: string
  text: string | null
  html: string | null
  scheduled_at: string | null
  attachments: { filename: string | null; size: number }[]
  headers: Record<string, string>
}

const line = (name: string, text: string) =>
  text === ''
    ? undefined
    : el('p', { className: 'wrap' }, el('span', { className: 'faint' }, `${name} `), text)

function draftCard(path: string, draft: WaitingDraft, again: () => Promise<void>): HTMLElement {
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
  const files = draft.attachments.map(({ filename, size }) => `${filename ?? 'unnamed'} (${size} bytes)`)
  const headers = Object.entries(draft.headers).map(([name, value]) => `${name}: ${value}`)
  return el(
    'li',
    { className: 'card' },
    el('h3', { className: 'wrap' }, draft.subject || '(no subject)'),
    line('From', draft.from_addr),
    line('To', draft.to.join(', ')),
    line('Cc', draft.cc.join(', ')),
    line('Bcc', draft.bcc.join(', ')),
    line('Goes out at', draft.scheduled_at === null ? '' : new Date(draft.scheduled_at).toLocaleString()),
    line('Files', files.join(', ')),
    line('Headers', headers.join(', ')),
    draft.text === null ? undefined : el('pre', {}, draft.text),
    draft.html === null ? undefined : el('pre', {}, `As HTML:\n${draft.html}`),
    el('div', { className: 'row' }, button('Approve', approve), button('Reject', reject, 'bad')),
  )
}

/** The drafts of an account that wait for its operator, with all that they say; nothing where none waits. */
export async function draftsOf(tenantId: string, again: () => Promise<void>): Promise<HTMLElement[]> {
  const path = `accounts/${tenantId}/drafts`
  const listed = await pages<{ id: string }>(path, 'drafts')
  const drafts: WaitingDraft[] = await Promise.all(listed.map(({ id }) => api('GET', `${path}/${id}`)))
  if (drafts.length === 0) return []
  const cards = drafts.map((draft) => draftCard(path, draft, again))
  return [el('h3', {}, 'Mail that waits for you'), el('ul', {}, ...cards)]
}
