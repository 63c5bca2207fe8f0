import type { Message } from '../../mailbox'
import { save } from '../core'
import { Button, Failed, Letter, Loading, useReading } from '../parts'

/** Views of a message. */
export const sides = {
  text: 'Text',
  html: 'As laid out',
  model: 'For the model',
  source: 'Source',
} as const
export type Side = keyof typeof sides

const maxTokens = 8_000

/** Shows exactly the text that a model gets for this message, including what was left out and why. */
export function ModelSide({ message }: { message: Message }) {
  const { value, error, again } = useReading(`${message.id} model`, () => message.toPrompt({ maxTokens }))
  if (error.value) return <Failed error={error.value} again={again} />
  if (value.value === undefined) return <Loading />
  return (
    <section class="stack" aria-label="For the model">
      <p class="small faint">
        The text that <code>message.toPrompt()</code> gives a model: {value.value.length} characters, at most{' '}
        {maxTokens} tokens. It says what was left out.
      </p>
      <Letter class="mono model" text={value.value} />
    </section>
  )
}

const maxShown = 400_000

/** Shows the original message. */
export function SourceSide({ message }: { message: Message }) {
  const { value, error, again } = useReading(`${message.id} source`, async () =>
    new TextDecoder().decode(await message.raw()),
  )
  if (error.value) return <Failed error={error.value} again={again} />
  const text = value.value
  if (text === undefined) return <Loading />
  return (
    <section class="stack" aria-label="Source">
      <div>
        <Button
          onPress={async () =>
            save(new Blob([(await message.raw()) as Uint8Array<ArrayBuffer>]), `${message.id}.eml`)
          }
        >
          Save as a file
        </Button>
      </div>
      <Letter class="mono" text={text.slice(0, maxShown)} />
      {text.length > maxShown && (
        <p class="note">And {text.length - maxShown} more characters: save it to see them.</p>
      )}
    </section>
  )
}

/** Shows the whole text, as the sender wrote it. */
export function TextSide({ message }: { message: Message }) {
  const { value, error, again } = useReading(`${message.id} text`, () => message.body())
  if (error.value) return <Failed error={error.value} again={again} />
  // The text of the record is shown until the whole text is loaded.
  const text = value.value?.text ?? message.text
  if (value.value && text.trim() === '') return <p class="note">This mail has no text.</p>
  return <Letter text={text} />
}

type Html = typeof import('../html')

/** HTML view, loaded on first use and kept for all later messages. */
export class HtmlViewer {
  shown: (Pick<Html, 'HtmlBody'> & { frames: InstanceType<Html['Frames']> }) | undefined
  #isClosed = false

  async load() {
    const { HtmlBody, Frames } = await import('../html')
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
  if (body.value.value?.html === null) return <p class="note">This mail has no HTML.</p>
  const loaded = viewer.shown ?? frame.value.value
  if (!loaded) return <Loading />
  const { HtmlBody, frames } = loaded
  return (
    <HtmlBody account={account} frames={frames} message={message?.record} html={body.value.value?.html} />
  )
}
