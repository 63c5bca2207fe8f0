import type { Message } from '../../mailbox/records/message'
import { save } from '../core/times'
import { Button } from '../parts/button'
import { Letter } from '../parts/letter'
import { useReading } from '../parts/reading'
import { Failed, Loading } from '../parts/states'

const maxTokens = 8_000

/** Shows exactly the text that a model gets for this message, including what was left out and why. */
export function ModelSide({ message }: { message: Message }) {
  const { value, error, again } = useReading(`${message.id} model`, () => message.toPrompt({ maxTokens }))
  if (error.value) return <Failed error={error.value} again={again} />
  if (value.value === undefined) return <Loading />
  return (
    <section class="stack" aria-label="For the model">
      <p class="small faint">
        The text that <code>message.toPrompt()</code> returns for a model: {value.value.length} characters, at
        most {maxTokens} tokens. It names what was left out.
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
    <section class="stack" aria-label="Original">
      <div>
        <Button
          onPress={async () =>
            save(new Blob([(await message.raw()) as Uint8Array<ArrayBuffer>]), `${message.id}.eml`)
          }
        >
          Save as file
        </Button>
      </div>
      <Letter class="mono" text={text.slice(0, maxShown)} />
      {text.length > maxShown && (
        <p class="note">{text.length - maxShown} more characters are not shown. Save the file to see them.</p>
      )}
    </section>
  )
}
