import type { Message } from '../../mailbox/records/message'
import { Letter } from '../parts/letter'
import { useReading } from '../parts/reading'
import { Failed, Loading } from '../parts/states'

/** Views of a message. */
export const sides = {
  text: 'Text',
  html: 'HTML',
  model: 'For the model',
  source: 'Original',
} as const
export type Side = keyof typeof sides

/** Shows the whole text, as the sender wrote it. */
export function TextSide({ message }: { message: Message }) {
  const { value, error, again } = useReading(`${message.id} text`, () => message.body())
  if (error.value) return <Failed error={error.value} again={again} />
  // The text of the record is shown until the whole text is loaded.
  const text = value.value?.text ?? message.text
  if (value.value && text.trim() === '') return <p class="note">This message has no text.</p>
  return <Letter text={text} />
}

type Html = typeof import('../html/html-body') & typeof import('../html/frames')

/** HTML view, loaded on first use and kept for all later messages. */
export class HtmlViewer {
  shown: (Pick<Html, 'HtmlBody'> & { frames: InstanceType<Html['Frames']> }) | undefined
  #isClosed = false

  async load() {
    const [{ HtmlBody }, { Frames }] = await Promise.all([
      import('../html/html-body'),
      import('../html/frames'),
    ])
    this.shown ??= { HtmlBody, frames: new Frames() }
    return this.shown
  }

  /** Prepares a document for the next message. */
  async prepare(): Promise<void> {
    const { frames } = await this.load()
    if (!this.#isClosed) frames.prepare()
  }

  close(): void {
    this.#isClosed = true
    this.shown?.frames.close()
  }
}

interface HtmlSideProps {
  account: string
  viewer: HtmlViewer
  /** Undefined while it is read; the document loads meanwhile. */
  message: Message | undefined
}

/** Shows the HTML of the message as its sender laid it out, in a sandbox. */
export function HtmlSide({ account, viewer, message }: HtmlSideProps) {
  const frame = useReading('frame', () => viewer.load())
  const body = useReading(`${message?.id} html`, async () => message?.body())
  const failed = [frame, body].find(({ error }) => error.value)
  if (failed) return <Failed error={failed.error.value!} again={failed.again} />
  if (body.value.value?.html === null) return <p class="note">This message has no HTML.</p>
  const loaded = viewer.shown ?? frame.value.value
  if (!loaded) return <Loading />
  const { HtmlBody, frames } = loaded
  return (
    <HtmlBody account={account} frames={frames} message={message?.record} html={body.value.value?.html} />
  )
}
